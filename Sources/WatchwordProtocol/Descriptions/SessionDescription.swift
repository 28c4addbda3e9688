package import WatchwordCore
package import WatchwordJSON

/// A session in `session/list`, `session/describe` and `status`.
package struct SessionDescription {
  package let session: String
  package let uid: UInt32
  package let isNamed: Bool
  package let holders: [HolderDescription]
  package let tasks: Int
  package let credentials: [CredentialDescription]
  package let trust: Int
  package let identities: Int
  package let connections: Int
  package let pendingChallenges: Int
  package let restrictions: [RestrictionDescription]
  package let configuration: SessionConfiguration

  package init(
    session: String, uid: UInt32, isNamed: Bool, holders: [HolderDescription], tasks: Int,
    credentials: [CredentialDescription], trust: Int, identities: Int, connections: Int,
    pendingChallenges: Int, restrictions: [RestrictionDescription], configuration: SessionConfiguration
  ) {
    self.session = session
    self.uid = uid
    self.isNamed = isNamed
    self.holders = holders
    self.tasks = tasks
    self.credentials = credentials
    self.trust = trust
    self.identities = identities
    self.connections = connections
    self.pendingChallenges = pendingChallenges
    self.restrictions = restrictions
    self.configuration = configuration
  }

  /// How much of the session is shown.
  package enum Detail: Sendable {
    /// Numbers only: `session/list`.
    case counts
    /// With holders and configuration: `session/describe`.
    case full
    /// With holders and credentials, for people: `status`.
    case status
  }

  package func write(to writer: inout JSONWriter, _ detail: Detail) {
    writer.beginObject()
    writer.member("session", session)
    writer.member("uid", Int(uid))
    writer.member("named", isNamed)
    writer.key("holders")
    switch detail {
    case .counts: writer.integer(holders.count)
    case .full, .status:
      writer.beginArray()
      for holder in holders { holder.write(to: &writer) }
      writer.endArray()
    }
    writer.member("tasks", tasks)
    writer.key("credentials")
    switch detail {
    case .counts, .full: writer.integer(credentials.count)
    case .status:
      writer.beginArray()
      for credential in credentials { credential.write(to: &writer) }
      writer.endArray()
    }
    writer.member("trust", trust)
    writer.member("identities", identities)
    writer.member("connections", connections)
    writer.member("pendingChallenges", pendingChallenges)
    writer.key("restrictions")
    switch detail {
    case .counts: writer.integer(restrictions.count)
    case .full, .status:
      writer.beginArray()
      for restriction in restrictions { restriction.write(to: &writer) }
      writer.endArray()
    }
    if detail == .full {
      writer.key("configuration")
      writer.value(configuration.shownValue)
    }
    writer.endObject()
  }
}
