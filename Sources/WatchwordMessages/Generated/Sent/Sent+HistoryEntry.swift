package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// What became of a credential, a challenge or a request of a restricted connection; never a secret.
  package struct HistoryEntry: SentObject {
    /// When it happened last.
    package let time: String
    package let outcome: String
    package let session: String
    /// That of a proxy, too; null when a restricted connection named none, and for what happened to the
    /// agent.
    package let origin: String?
    /// Of the protection space, or null.
    package let authenticationMethod: String?
    /// Of the protection space, or null; one of more than 256 bytes is left out.
    package let realm: String?
    package let realmBytes: String?
    /// Of key only: its header field.
    package let field: String?
    /// Of the protection space.
    package let isProxy: Bool
    /// Of the credential, at most 256 bytes; null for a token and for a challenge.
    package let user: String?
    /// Only of a client certificate that was presented or refused; pid is null, since a handshake can serve
    /// several processes.
    package let identity: String?
    /// The process that the request was for.
    package let pid: Int?
    /// The processes that were asked.
    package let asked: [Int]
    /// The process that answered, or that had given the credential to the session; null when there is none,
    /// or it has gone.
    package let answeredBy: Int?
    /// Only for restricted (restricted.md 2.6.5).
    package let reason: String?
    /// Only for restricted.
    package let restriction: String?
    /// How often the same happened.
    package let uses: Int

    package init(
      time: String, outcome: String, session: String, origin: String?, authenticationMethod: String?,
      realm: String?, realmBytes: String?, field: String?, isProxy: Bool, user: String?, identity: String?,
      pid: Int?, asked: [Int], answeredBy: Int?, reason: String?, restriction: String?, uses: Int
    ) {
      self.time = time
      self.outcome = outcome
      self.session = session
      self.origin = origin
      self.authenticationMethod = authenticationMethod
      self.realm = realm
      self.realmBytes = realmBytes
      self.field = field
      self.isProxy = isProxy
      self.user = user
      self.identity = identity
      self.pid = pid
      self.asked = asked
      self.answeredBy = answeredBy
      self.reason = reason
      self.restriction = restriction
      self.uses = uses
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("time", time)
      writer.member("outcome", outcome)
      writer.member("session", session)
      writer.member("origin", origin)
      writer.member("authenticationMethod", authenticationMethod)
      writer.member("realm", realm)
      if let realmBytes { writer.member("realmBytes", realmBytes) }
      if let field { writer.member("field", field) }
      writer.member("isProxy", isProxy)
      writer.member("user", user)
      if let identity { writer.member("identity", identity) }
      writer.member("pid", pid)
      writer.member("asked", asked)
      writer.member("answeredBy", answeredBy)
      if let reason { writer.member("reason", reason) }
      if let restriction { writer.member("restriction", restriction) }
      writer.member("uses", uses)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      time = try object.member("time")
      outcome = try object.member("outcome")
      session = try object.member("session")
      origin = try object.member("origin")
      authenticationMethod = try object.member("authenticationMethod")
      realm = try object.member("realm")
      realmBytes = try object.memberIfPresent("realmBytes")
      field = try object.memberIfPresent("field")
      isProxy = try object.member("isProxy")
      user = try object.member("user")
      identity = try object.memberIfPresent("identity")
      pid = try object.member("pid")
      asked = try object.member("asked")
      answeredBy = try object.member("answeredBy")
      reason = try object.memberIfPresent("reason")
      restriction = try object.memberIfPresent("restriction")
      uses = try object.member("uses")
    }
  }
}
