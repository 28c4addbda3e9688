/// The parameters of `credential/history`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct CredentialHistoryParameters: MethodParameters {
  package let limit: Int
  package let user: String?
  /// A scheme, a host and perhaps a port.
  package let origin: String?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    limit = try reader["limit"]?.integer(in: 1...1024) ?? 100
    user = try reader["user"]?.string(maximumBytes: 65_536)
    origin = try reader["origin"]?.string(maximumBytes: 1024)
  }
}
