/// The members of `RestrictionRule`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct RestrictionRuleMembers: Sendable {
  /// These methods; never TRACE or TRACK, whose response repeats the credential.
  package let methods: Set<String>?
  /// Requests to this origin: a scheme, a host and perhaps a port.
  package let origin: String
  /// This path, or with * at its end every path that begins with its text; any query.
  package let path: String
  /// Header fields that requests may set beside those of restricted.md 2.6.7.
  package let headers: Set<String>?
  /// A request body of so many bytes.
  package let requestBytes: Int?
  /// A result whose body has so many bytes, after decoding.
  package let responseBytes: Int?
  /// So many requests a minute, and as many at once (at least one); all connections of the restriction
  /// together.
  package let perMinute: Double?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    methods = try reader["methods"]?.restrictedMethods(maximum: 64, minimum: 1)
    origin = try reader.required("origin").string(maximumBytes: 1024)
    path = try reader["path"]?.absolutePath(maximumBytes: 16_384) ?? "/*"
    headers = try reader["headers"]?.restrictedFields(maximum: 64)
    requestBytes = try reader["requestBytes"]?.integer(in: 0...Int.max)
    responseBytes = try reader["responseBytes"]?.integer(in: 0...Int.max)
    perMinute = try reader["perMinute"]?.number(in: 0.001...10_000_000)
  }
}
