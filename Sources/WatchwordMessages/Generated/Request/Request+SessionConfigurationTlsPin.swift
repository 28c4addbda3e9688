package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// `SessionConfigurationTlsPin` of the contract.
  package struct SessionConfigurationTlsPin: SentObject {
    /// A host, or *. and a name: every host below it, at any depth.
    package let host: String
    /// Of which the chain has to hold one: the server's key or that of an issuer.
    package let publicKeys: [String]
    /// A chain without one is counted (pins.reported) and logged, and goes on.
    package let reportOnly: Bool?

    package init(host: String, publicKeys: [String], reportOnly: Bool? = nil) {
      self.host = host
      self.publicKeys = publicKeys
      self.reportOnly = reportOnly
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("host", host)
      writer.member("publicKeys", publicKeys)
      if let reportOnly { writer.member("reportOnly", reportOnly) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      host = try object.member("host")
      publicKeys = try object.member("publicKeys")
      reportOnly = try object.memberIfPresent("reportOnly")
    }
  }
}
