package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `peer/restrict`. Leaves this connection nothing but to fetch by rules, for good.
  package struct PeerRestrict: MethodRequest {
    package typealias Result = Sent.AddedRestriction
    package static let method = "peer/restrict"

    package let session: String?
    package let rules: [Request.RestrictionRule]
    package let expiresSeconds: Double?

    package init(session: String? = nil, rules: [Request.RestrictionRule], expiresSeconds: Double? = nil) {
      self.session = session
      self.rules = rules
      self.expiresSeconds = expiresSeconds
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let session { writer.member("session", session) }
      writer.member("rules", rules)
      if let expiresSeconds { writer.member("expiresSeconds", expiresSeconds) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      session = try object.memberIfPresent("session")
      rules = try object.member("rules")
      expiresSeconds = try object.memberIfPresent("expiresSeconds")
    }
  }
}
