package import WatchwordVocabulary

/// The parameters of `credential/set`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct CredentialSetParameters: MethodParameters {
  package let session: String?
  package let protectionSpace: [ProtectionSpace]
  package let credential: GivenCredential
  /// Make it the space's default user. With false the default stays as it is, also when there is none.
  package let `default`: Bool
  /// Let credential/read give the secret back: for what another tool stores to have it back (storage.md
  /// 7.1.11).
  package let readable: Bool

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    session = try reader["session"]?.name(maximumBytes: 128)
    protectionSpace = try reader.required("protectionSpace").protectionSpaces()
    credential = try reader.required("credential").credential()
    `default` = try reader["default"]?.bool() ?? true
    readable = try reader["readable"]?.bool() ?? false
    try checkReadable()
  }
}
