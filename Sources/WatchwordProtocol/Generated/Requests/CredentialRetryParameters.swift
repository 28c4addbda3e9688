package import WatchwordCore

/// The parameters of `credential/retry`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct CredentialRetryParameters: MethodParameters {
  package let session: String?
  package let url: String
  /// As for a fetch: instead of the session's.
  package let proxies: SessionConfiguration.Proxies?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    session = try reader["session"]?.name(maximumBytes: 128)
    url = try reader.required("url").string(maximumBytes: 16_384, minimumBytes: 1)
    proxies = try reader["proxies"]?.proxies()
  }
}
