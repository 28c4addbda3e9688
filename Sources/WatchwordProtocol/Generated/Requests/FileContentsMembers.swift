package import WatchwordSecret

/// The members of `FileContents`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct FileContentsMembers: Sendable {
  /// Base64. Secret.
  package let base64: Secret?
  package let descriptor: Int?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    base64 = try reader["base64"]?.secret(maximumBytes: 349_528)
    descriptor = try reader["descriptor"]?.integer(in: 0...15)
  }
}
