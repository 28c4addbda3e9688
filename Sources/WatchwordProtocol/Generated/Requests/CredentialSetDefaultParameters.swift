package import WatchwordVocabulary

/// The parameters of `credential/setDefault`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct CredentialSetDefaultParameters: MethodParameters {
  package let session: String?
  package let protectionSpace: [ProtectionSpace]
  package let user: String

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    session = try reader["session"]?.name(maximumBytes: 128)
    protectionSpace = try reader.required("protectionSpace").protectionSpaces()
    user = try reader.required("user").string(maximumBytes: 4096)
  }
}
