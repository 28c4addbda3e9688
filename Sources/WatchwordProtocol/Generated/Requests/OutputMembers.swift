/// The members of `Output`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct OutputMembers: Sendable {
  package let descriptor: Int?
  /// The ETag of what the file already holds up to its current offset: continue there with Range and
  /// If-Range. See continuation in the result's body.
  package let resumeIfRange: String?
  package let digest: String?
  package let mode: Fetch.Output?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    descriptor = try reader["descriptor"]?.integer(in: 0...15)
    resumeIfRange = try reader["resumeIfRange"]?.string(maximumBytes: 1024)
    digest = try reader["digest"]?.string(maximumBytes: 1024)
    mode = try reader["mode"]?.bodyMode()
  }
}
