internal import Glibc
internal import WatchwordMessages
internal import WatchwordPrimitives

/// Formats sessions for a person.
enum SessionText {
  /// What is counted of a session.
  struct Row {
    let session: String
    let isPrivate: Bool
    let holders: Int
    let tasks: Int
    let credentials: Int
    let trust: Int
    let identities: Int
    let connections: Int
    let pendingChallenges: Int

    init(_ session: Sent.SessionSummary) {
      self.session = session.session
      isPrivate = !session.named
      holders = session.holders
      tasks = session.tasks
      credentials = session.credentials
      trust = session.trust
      identities = session.identities
      connections = session.connections
      pendingChallenges = session.pendingChallenges
    }

    init(_ session: Sent.SessionStatus) {
      self.session = session.session
      isPrivate = !session.named
      holders = SessionText.others(among: session.holders).count
      tasks = session.tasks
      credentials = session.credentials.count
      trust = session.trust
      identities = session.identities
      connections = session.connections
      pendingChallenges = session.pendingChallenges
    }
  }

  static func table(_ rows: [Row]) -> String {
    var table = Table(["session", "holders", "tasks", "credentials", "trust", "connections", "challenges"])
    for row in rows {
      let name = DisplayText.escaped(row.session)
      let counts = [
        row.holders, row.tasks, row.credentials, row.trust, row.connections, row.pendingChallenges,
      ]
      table.add([row.isPrivate ? "\(name) (private)" : name] + counts.map { "\($0)" })
    }
    return table.text
  }

  /// Without this process, which only reads.
  static func others(among holders: [Sent.Holder]) -> [Sent.Holder] {
    holders.filter { $0.pid != Int(getpid()) }
  }

  /// `pid 4711 /usr/bin/python3`, for a holder or a waiter.
  static func process(_ pid: Int, _ executable: String?) -> String {
    "pid \(pid)\(executable.map { " \(DisplayText.escaped($0))" } ?? "")"
  }
}
