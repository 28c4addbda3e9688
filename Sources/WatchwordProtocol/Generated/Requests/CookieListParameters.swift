/// The parameters of `cookie/list`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct CookieListParameters: MethodParameters {
  package let session: String?
  /// Only those that would be sent there.
  package let url: String?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    session = try reader["session"]?.name(maximumBytes: 128)
    url = try reader["url"]?.string(maximumBytes: 16_384, minimumBytes: 1)
  }
}
