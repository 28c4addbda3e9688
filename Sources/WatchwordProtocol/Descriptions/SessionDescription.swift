package import WatchwordCore
internal import WatchwordJSON
package import WatchwordMessages

/// A session in `session/list`, `session/describe` and `status`.
package struct SessionDescription {
  package let session: String
  package let uid: UInt32
  package let isNamed: Bool
  package let holders: [HolderDescription]
  package let tasks: Int
  package let credentials: Int
  package let trust: Int
  package let identities: Int
  package let connections: Int
  package let pendingChallenges: Int
  package let refusedSources: [RefusedSourceDescription]
  package let restrictions: [RestrictionDescription]
  package let configuration: SessionConfiguration
  package let unusedSeconds: Double

  package init(
    session: String, uid: UInt32, isNamed: Bool, holders: [HolderDescription], tasks: Int,
    credentials: Int, trust: Int, identities: Int, connections: Int,
    pendingChallenges: Int, refusedSources: [RefusedSourceDescription] = [],
    restrictions: [RestrictionDescription], configuration: SessionConfiguration, unusedSeconds: Double = 0
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
    self.refusedSources = refusedSources
    self.restrictions = restrictions
    self.configuration = configuration
    self.unusedSeconds = unusedSeconds
  }

  /// Numbers only: for `session/list`.
  package var summary: Sent.SessionSummary {
    Sent.SessionSummary(
      session: session, uid: Int(uid), named: isNamed, holders: holders.count, tasks: tasks,
      credentials: credentials, trust: trust, identities: identities, connections: connections,
      pendingChallenges: pendingChallenges, restrictions: restrictions.count, unusedSeconds: unusedSeconds)
  }

  /// With holders and configuration: for `session/describe`.
  package var description: Sent.SessionDescription {
    Sent.SessionDescription(
      session: session, uid: Int(uid), named: isNamed, holders: holders.map(\.sent), tasks: tasks,
      credentials: credentials, trust: trust, identities: identities, connections: connections,
      pendingChallenges: pendingChallenges, restrictions: restrictions.map(\.sent),
      configuration: configuration.shownValue)
  }

  /// With holders and credentials, for people: for `status`.
  package func status(showing credentials: [Encoded<Sent.StoredCredential>]) -> Sent.SessionStatus {
    Sent.SessionStatus(
      session: session, uid: Int(uid), named: isNamed, holders: holders.map(\.sent), tasks: tasks,
      credentials: credentials, trust: trust, identities: identities, connections: connections,
      pendingChallenges: pendingChallenges, unusedSeconds: unusedSeconds,
      refusedSources: refusedSources.map(\.sent), restrictions: restrictions.map(\.sent))
  }
}
