package import WatchwordCore

/// The parameters of `explain`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct ExplainParameters: MethodParameters {
  package let session: String?
  package let url: String
  package let method: String
  /// As for a fetch: instead of the session's.
  package let proxies: SessionConfiguration.Proxies?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    session = try reader["session"]?.name(maximumBytes: 128)
    url = try reader.required("url").string(maximumBytes: 16_384, minimumBytes: 1)
    method = try reader["method"]?.method(maximumBytes: 32) ?? "GET"
    proxies = try reader["proxies"]?.proxies()
  }
}
