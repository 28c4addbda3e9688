package import WatchwordVocabulary

/// The parameters of `credential/read`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct CredentialReadParameters: MethodParameters {
  package let session: String?
  package let protectionSpace: [ProtectionSpace]
  /// Left out: the default user.
  package let user: String?
  /// What it is for; left out: the whole origin.
  package let path: String?
  /// Of those sent with the message; open for writing.
  package let descriptor: Int

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    session = try reader["session"]?.name(maximumBytes: 128)
    protectionSpace = try reader.required("protectionSpace").protectionSpaces()
    user = try reader["user"]?.string(maximumBytes: 4096)
    path = try reader["path"]?.absolutePath(maximumBytes: 8192)
    descriptor = try reader.required("descriptor").integer(in: 0...15)
  }
}
