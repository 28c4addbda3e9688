package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// A session with the numbers of what it has.
  package struct SessionSummary: SentObject {
    package let session: String
    package let uid: Int
    package let named: Bool
    package let holders: Int
    package let tasks: Int
    package let credentials: Int
    package let trust: Int
    package let identities: Int
    package let connections: Int
    package let pendingChallenges: Int
    package let restrictions: Int
    /// Since a caller has named, joined or left it, or one of its tasks has begun or ended; 0 while a task
    /// runs.
    package let unusedSeconds: Double

    package init(
      session: String, uid: Int, named: Bool, holders: Int, tasks: Int, credentials: Int, trust: Int,
      identities: Int, connections: Int, pendingChallenges: Int, restrictions: Int, unusedSeconds: Double
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
      self.restrictions = restrictions
      self.unusedSeconds = unusedSeconds
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
      writer.member("restrictions", restrictions)
      writer.member("unusedSeconds", unusedSeconds)
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
      restrictions = try object.member("restrictions")
      unusedSeconds = try object.member("unusedSeconds")
    }
  }
}
