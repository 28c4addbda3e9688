/// The parameters of `trust/remove`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct TrustRemoveParameters: MethodParameters {
  package let session: String?
  package let trust: String?
  /// A URL of the origin.
  package let origin: String?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    session = try reader["session"]?.name(maximumBytes: 128)
    trust = try reader["trust"]?.string(maximumBytes: 64)
    origin = try reader["origin"]?.string(maximumBytes: 16_384, minimumBytes: 1)
  }
}
