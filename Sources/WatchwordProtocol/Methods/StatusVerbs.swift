package import WatchwordCore
package import WatchwordJSON

/// The parameters of `status/subscribe`.
package struct StatusSubscribeParameters: Sendable {
  /// Least time between two notifications.
  package let intervalSeconds: Double

  package init(_ object: JSONObject?) throws(RPCError) {
    intervalSeconds = try ParameterReader.decode(object) { reader throws(RPCError) in
      try reader.optionalNumber("intervalSeconds", in: 0.1...3600) ?? 1
    }
  }
}

/// The parameters of `server/shutdown`.
package struct ShutdownParameters: Sendable {
  package let isGraceful: Bool

  package init(_ object: JSONObject?) throws(RPCError) {
    isGraceful = try ParameterReader.decode(object) { reader throws(RPCError) in
      try reader.optionalBool("graceful") ?? true
    }
  }
}

/// A connection that holds a session.
package struct HolderDescription {
  package let pid: Int32
  package let uid: UInt32
  package let executable: String?
  package let callerName: String?
  package let interest: DelegateInterest

  package init(pid: Int32, uid: UInt32, executable: String?, callerName: String?, interest: DelegateInterest)
  {
    self.pid = pid
    self.uid = uid
    self.executable = executable
    self.callerName = callerName
    self.interest = interest
  }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("pid", Int(pid))
    writer.member("uid", Int(uid))
    writer.member("executable", executable)
    writer.member("name", callerName)
    writer.key("delegate")
    writer.beginObject()
    writer.key("tasks")
    HolderDescription.write(interest.tasks, to: &writer)
    writer.key("session")
    HolderDescription.write(interest.session, to: &writer)
    writer.endObject()
    writer.endObject()
  }

  private static func write(_ methods: DelegateInterest.Methods, to writer: inout JSONWriter) {
    switch methods {
    case .all: writer.strings(["*"])
    case .only(let methods): writer.strings(methods.map(\.rawValue).sorted())
    }
  }
}

/// A session in `session/list`, `session/describe` and `status`.
package struct SessionDescription {
  package let session: String
  package let uid: UInt32
  package let isNamed: Bool
  package let holders: [HolderDescription]
  package let tasks: Int
  package let credentials: [CredentialDescription]
  package let connections: Int
  package let pendingChallenges: Int
  package let configuration: SessionConfiguration

  package init(
    session: String, uid: UInt32, isNamed: Bool, holders: [HolderDescription], tasks: Int,
    credentials: [CredentialDescription], connections: Int, pendingChallenges: Int,
    configuration: SessionConfiguration
  ) {
    self.session = session
    self.uid = uid
    self.isNamed = isNamed
    self.holders = holders
    self.tasks = tasks
    self.credentials = credentials
    self.connections = connections
    self.pendingChallenges = pendingChallenges
    self.configuration = configuration
  }

  /// How much of it is shown.
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
    writer.member("trust", 0)
    writer.member("identities", 0)
    writer.member("connections", connections)
    writer.member("pendingChallenges", pendingChallenges)
    if detail == .full {
      writer.key("configuration")
      writer.value(configuration.shownValue)
    }
    writer.endObject()
  }
}

/// `status`: one snapshot of the daemon, as far as the peer may see it.
package struct StatusSnapshot {
  package let version: String
  package let pid: Int32
  package let uptimeSeconds: Double
  package let socket: String
  package let residentBytes: Int64
  package let sessions: [SessionDescription]
  package let challenges: [ChallengeDescription]
  package let counters: [(name: String, value: Int)]
  /// Each limit and how much of it is in use; nil where nothing is counted.
  package let limits: [(name: String, value: Int, used: Int?)]

  package init(
    version: String, pid: Int32, uptimeSeconds: Double, socket: String, residentBytes: Int64,
    sessions: [SessionDescription], challenges: [ChallengeDescription],
    counters: [(name: String, value: Int)], limits: [(name: String, value: Int, used: Int?)]
  ) {
    self.version = version
    self.pid = pid
    self.uptimeSeconds = uptimeSeconds
    self.socket = socket
    self.residentBytes = residentBytes
    self.sessions = sessions
    self.challenges = challenges
    self.counters = counters
    self.limits = limits
  }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("version", version)
    writer.member("pid", Int(pid))
    writer.seconds("uptimeSeconds", uptimeSeconds)
    writer.member("socket", socket)
    writer.member("residentBytes", residentBytes)
    writer.key("sessions")
    writer.beginArray()
    for session in sessions { session.write(to: &writer, .status) }
    writer.endArray()
    writer.key("challenges")
    writer.beginArray()
    for challenge in challenges { challenge.write(to: &writer) }
    writer.endArray()
    writer.key("counters")
    writer.integers(counters)
    writer.key("limits")
    writer.integers(limits.map { ($0.name, $0.value) })
    writer.key("usage")
    writer.integers(limits.compactMap { limit in limit.used.map { (limit.name, $0) } })
    writer.endObject()
  }
}
