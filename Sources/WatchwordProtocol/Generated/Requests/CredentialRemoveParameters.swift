package import WatchwordVocabulary

/// The parameters of `credential/remove`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct CredentialRemoveParameters: MethodParameters {
  package let session: String?
  package let protectionSpace: [ProtectionSpace]
  package let user: String?
  /// Only the credentials that are kept for this path (storage.md 9.9.7); null: only those for no path.
  package let path: NamedPath?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    session = try reader["session"]?.name(maximumBytes: 128)
    protectionSpace = try reader.required("protectionSpace").protectionSpaces()
    user = try reader["user"]?.string(maximumBytes: 4096)
    path = try reader["path"]?.namedPath()
  }
}
