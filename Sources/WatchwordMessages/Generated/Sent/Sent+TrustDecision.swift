package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// A decision about a server's certificates: the session's own, or a permanent one.
  package struct TrustDecision: SentObject {
    /// Its id: in the session a number, of the uid p and a number.
    package let trust: String
    package let origin: String
    /// Of the server's certificate when it was decided: RFC 4514.
    package let subject: String
    package let scope: String
    /// Of the server's certificate when it was decided.
    package let sha256: String
    package let publicKey: String
    /// As the reasons of a verdict.
    package let excused: [Sent.TrustReason]
    package let persistence: String
    /// Handshakes that it has let through.
    package let uses: Int
    package let lastUsed: String?
    package let created: String
    package let limits: Sent.IdentityLimits
    /// Until a limit ends it.
    package let secondsLeft: Double?

    package init(
      trust: String, origin: String, subject: String, scope: String, sha256: String, publicKey: String,
      excused: [Sent.TrustReason], persistence: String, uses: Int, lastUsed: String?, created: String,
      limits: Sent.IdentityLimits, secondsLeft: Double?
    ) {
      self.trust = trust
      self.origin = origin
      self.subject = subject
      self.scope = scope
      self.sha256 = sha256
      self.publicKey = publicKey
      self.excused = excused
      self.persistence = persistence
      self.uses = uses
      self.lastUsed = lastUsed
      self.created = created
      self.limits = limits
      self.secondsLeft = secondsLeft
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("trust", trust)
      writer.member("origin", origin)
      writer.member("subject", subject)
      writer.member("scope", scope)
      writer.member("sha256", sha256)
      writer.member("publicKey", publicKey)
      writer.member("excused", excused)
      writer.member("persistence", persistence)
      writer.member("uses", uses)
      writer.member("lastUsed", lastUsed)
      writer.member("created", created)
      writer.member("limits", limits)
      writer.member("secondsLeft", secondsLeft)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      trust = try object.member("trust")
      origin = try object.member("origin")
      subject = try object.member("subject")
      scope = try object.member("scope")
      sha256 = try object.member("sha256")
      publicKey = try object.member("publicKey")
      excused = try object.member("excused")
      persistence = try object.member("persistence")
      uses = try object.member("uses")
      lastUsed = try object.member("lastUsed")
      created = try object.member("created")
      limits = try object.member("limits")
      secondsLeft = try object.member("secondsLeft")
    }
  }
}
