/// The members of `RestrictionRule`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct RestrictionRuleMembers: Sendable {
  /// Never TRACE.
  package let methods: Set<String>?
  /// A scheme, a host and perhaps a port.
  package let origin: String
  /// One path, or with * at its end every path that begins with its text.
  package let path: String
  /// Of a request body.
  package let requestBytes: Int?
  /// Of the result's body, after decoding.
  package let responseBytes: Int?
  /// Requests, of all connections of the restriction together.
  package let perMinute: Double?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    methods = try reader["methods"]?.restrictedMethods(maximum: 64, minimum: 1)
    origin = try reader.required("origin").string(maximumBytes: 1024)
    path = try reader["path"]?.string(maximumBytes: 16_384) ?? "/*"
    requestBytes = try reader["requestBytes"]?.integer(in: 0...Int.max)
    responseBytes = try reader["responseBytes"]?.integer(in: 0...Int.max)
    perMinute = try reader["perMinute"]?.number(in: 0.001...10_000_000)
  }
}
