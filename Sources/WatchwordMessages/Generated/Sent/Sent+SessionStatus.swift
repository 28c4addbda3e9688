package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// A session as status shows it.
  package struct SessionStatus: SentObject {
    package let session: String
    package let uid: Int
    package let named: Bool
    package let holders: [Sent.Holder]
    package let tasks: Int
    package let credentials: [Encoded<Sent.StoredCredential>]
    package let trust: Int
    package let identities: Int
    package let connections: Int
    package let pendingChallenges: Int
    /// Sources whose credential a server has refused (storage.md 9.7.9).
    package let refusedSources: [Sent.RefusedSource]
    package let restrictions: [Sent.Restriction]

    package init(
      session: String, uid: Int, named: Bool, holders: [Sent.Holder], tasks: Int,
      credentials: [Encoded<Sent.StoredCredential>], trust: Int, identities: Int, connections: Int,
      pendingChallenges: Int, refusedSources: [Sent.RefusedSource], restrictions: [Sent.Restriction]
    ) {
      self.session = session
      self.uid = uid
      self.named = named
      self.holders = holders
      self.tasks = tasks
      self.credentials = credentials
      self.trust = trust
      self.identities = identities
      self.connections = connections
      self.pendingChallenges = pendingChallenges
      self.refusedSources = refusedSources
      self.restrictions = restrictions
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("session", session)
      writer.member("uid", uid)
      writer.member("named", named)
      writer.member("holders", holders)
      writer.member("tasks", tasks)
      writer.member("credentials", credentials)
      writer.member("trust", trust)
      writer.member("identities", identities)
      writer.member("connections", connections)
      writer.member("pendingChallenges", pendingChallenges)
      if !refusedSources.isEmpty { writer.member("refusedSources", refusedSources) }
      writer.member("restrictions", restrictions)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      session = try object.member("session")
      uid = try object.member("uid")
      named = try object.member("named")
      holders = try object.member("holders")
      tasks = try object.member("tasks")
      credentials = try object.member("credentials")
      trust = try object.member("trust")
      identities = try object.member("identities")
      connections = try object.member("connections")
      pendingChallenges = try object.member("pendingChallenges")
      refusedSources = try object.member("refusedSources")
      restrictions = try object.member("restrictions")
    }
  }
}
