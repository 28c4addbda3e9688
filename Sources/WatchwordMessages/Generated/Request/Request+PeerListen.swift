package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `peer/listen`. Serves restricted connections on a socket of the caller's.
  package struct PeerListen: MethodRequest {
    package typealias Result = Sent.AddedRestriction
    package static let method = "peer/listen"

    package let descriptor: Int
    package let session: String?
    package let rules: [Request.RestrictionRule]
    package let expiresSeconds: Double?

    package init(
      descriptor: Int, session: String? = nil, rules: [Request.RestrictionRule], expiresSeconds: Double? = nil
    ) {
      self.descriptor = descriptor
      self.session = session
      self.rules = rules
      self.expiresSeconds = expiresSeconds
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("descriptor", descriptor)
      if let session { writer.member("session", session) }
      writer.member("rules", rules)
      if let expiresSeconds { writer.member("expiresSeconds", expiresSeconds) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      descriptor = try object.member("descriptor")
      session = try object.memberIfPresent("session")
      rules = try object.member("rules")
      expiresSeconds = try object.memberIfPresent("expiresSeconds")
    }
  }
}
