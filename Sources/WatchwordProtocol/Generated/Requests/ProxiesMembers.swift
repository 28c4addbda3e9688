package import WatchwordSecret

/// The members of `Proxies`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct ProxiesMembers: Sendable {
  /// For http origins. Secret.
  package let http: Secret?
  /// For https origins. Secret.
  package let https: Secret?
  /// For origins whose scheme has no proxy of its own. Secret.
  package let all: Secret?
  /// Origins that are reached without a proxy: names with their subdomains, addresses, networks such as
  /// 10.0.0.0/8, names and addresses with a port, or *.
  package let except: [String]?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    http = try reader["http"]?.unlessNull?.secret(maximumBytes: 16_384)
    https = try reader["https"]?.unlessNull?.secret(maximumBytes: 16_384)
    all = try reader["all"]?.unlessNull?.secret(maximumBytes: 16_384)
    except = try reader["except"]?.array(maximum: 1024) { element throws(RPCError) in
      try element.string(maximumBytes: Int.max)
    }
  }
}
