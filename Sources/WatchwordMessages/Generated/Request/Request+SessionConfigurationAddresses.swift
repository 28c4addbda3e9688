package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// Where the session may connect.
  package struct SessionConfigurationAddresses: SentObject {
    /// host:port to address, instead of name resolution; each host and port once.
    package let resolve: [(name: String, value: String)]?
    /// The only origins that this session fetches, each scheme://host or scheme://host:port; null: all.
    package let allowOrigins: [String]?
    /// Refuse loopback, link-local and private addresses, checked when connecting.
    package let refusePrivate: Bool?

    package init(
      resolve: [(name: String, value: String)]? = nil, allowOrigins: [String]? = nil,
      refusePrivate: Bool? = nil
    ) {
      self.resolve = resolve
      self.allowOrigins = allowOrigins
      self.refusePrivate = refusePrivate
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let resolve { writer.member("resolve", resolve) }
      if let allowOrigins { writer.member("allowOrigins", allowOrigins) }
      if let refusePrivate { writer.member("refusePrivate", refusePrivate) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      resolve = try object.pairsIfPresent("resolve")
      allowOrigins = try object.memberIfPresent("allowOrigins")
      refusePrivate = try object.memberIfPresent("refusePrivate")
    }
  }
}
