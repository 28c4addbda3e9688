package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// What Negotiate may do.
  package struct SessionConfigurationMethodsNegotiate: SentObject {
    /// Origins, or proxies as http://host:port or https://host:port, to which the tickets of the daemon's uid
    /// are sent without a reply (methods.md 14.9, 15.13).
    package let ambientOrigins: [String]?
    /// Whether the server may act with the user's tickets.
    package let delegate: Bool?
    /// Whether NTLM may be the mechanism inside a negotiation (methods.md 14.10).
    package let allowNTLM: Bool?

    package init(ambientOrigins: [String]? = nil, delegate: Bool? = nil, allowNTLM: Bool? = nil) {
      self.ambientOrigins = ambientOrigins
      self.delegate = delegate
      self.allowNTLM = allowNTLM
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let ambientOrigins { writer.member("ambientOrigins", ambientOrigins) }
      if let delegate { writer.member("delegate", delegate) }
      if let allowNTLM { writer.member("allowNTLM", allowNTLM) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      ambientOrigins = try object.memberIfPresent("ambientOrigins")
      delegate = try object.memberIfPresent("delegate")
      allowNTLM = try object.memberIfPresent("allowNTLM")
    }
  }
}
