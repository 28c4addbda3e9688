/// The members of `RequestBody`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct RequestBodyMembers: Sendable {
  package let text: String?
  package let base64: String?
  package let descriptor: Int?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    text = try reader["text"]?.string(maximumBytes: Int.max)
    base64 = try reader["base64"]?.string(maximumBytes: Int.max)
    descriptor = try reader["descriptor"]?.integer(in: 0...15)
  }
}
