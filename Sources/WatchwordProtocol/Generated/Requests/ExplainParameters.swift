package import WatchwordCore
package import WatchwordVocabulary

/// The parameters of `explain`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct ExplainParameters: MethodParameters {
  package let session: String?
  package let url: String
  package let method: String
  /// As for a fetch: a `Host` field names a server, and a field of the caller takes the place of a
  /// credential.
  package let headers: [HeaderField]?
  /// As for a fetch: instead of the session's.
  package let proxies: SessionConfiguration.Proxies?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    session = try reader["session"]?.name(maximumBytes: 128)
    url = try reader.required("url").string(maximumBytes: 16_384, minimumBytes: 1)
    method = try reader["method"]?.method(maximumBytes: 32) ?? "GET"
    headers = try reader["headers"]?.headers(maximum: 256)
    proxies = try reader["proxies"]?.proxies()
  }
}
