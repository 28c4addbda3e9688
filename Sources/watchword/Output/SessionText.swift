internal import Glibc
internal import WatchwordMessages
internal import WatchwordVocabulary

/// Formats sessions for a person.
enum SessionText {
  /// A session without a holder that was not used for so many seconds is listed with `--all` only.
  static let recentSeconds = 3600.0

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
    /// Nil where it is not told.
    let unusedSeconds: Double?

    /// Whether it has a holder or work, or was used a short time ago.
    var isRecent: Bool {
      holders > 0 || tasks > 0 || pendingChallenges > 0 || unusedSeconds ?? 0 < SessionText.recentSeconds
    }

    /// What a person looks for first.
    var state: String {
      pendingChallenges > 0 ? "asks" : tasks > 0 ? "busy" : holders > 0 ? "held" : "idle"
    }

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
      unusedSeconds = session.unusedSeconds
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
      unusedSeconds = session.unusedSeconds
    }
  }

  static func table(_ rows: [Row]) -> String {
    let showsUse = rows.contains { $0.unusedSeconds != nil }
    let titles = ["session", "holders", "tasks", "credentials", "trust", "connections", "challenges"]
    var table = Table(titles + (showsUse ? ["unused for"] : []))
    for row in rows {
      let name = DisplayText.escaped(row.session)
      let counts = [
        row.holders, row.tasks, row.credentials, row.trust, row.connections, row.pendingChallenges,
      ]
      let use = showsUse ? [Quantity.seconds(row.unusedSeconds ?? 0)] : []
      table.add([row.isPrivate ? "\(name) (private)" : name] + counts.map { "\($0)" } + use)
    }
    return table.text
  }

  /// For a screen of 80 columns: without some of the counts, and with the beginnings of long names.
  static func shortTable(_ rows: [Row]) -> String {
    var table = Table(
      ["session", "state", "unused for", "tasks", "credentials", "connections"], numbers: [3, 4, 5])
    for row in rows {
      let counts = [row.tasks, row.credentials, row.connections].map { "\($0)" }
      let use = row.tasks > 0 ? "" : row.unusedSeconds.map(Quantity.seconds) ?? ""
      table.add([shortName(row.session, isPrivate: row.isPrivate), row.state, use] + counts)
    }
    return table.text
  }

  /// The beginning of a long one, such as that of a session which is named after its settings.
  private static func shortName(_ session: String, isPrivate: Bool) -> String {
    let mark = isPrivate ? " (private)" : ""
    return ScreenWidth.fitted(DisplayText.escaped(session), longestName - mark.count) + mark
  }

  private static let longestName = 28

  /// Without this process, which only reads.
  static func others(among holders: [Sent.Holder]) -> [Sent.Holder] {
    holders.filter { $0.pid != Int(getpid()) }
  }

  /// `pid 4711 /usr/bin/python3`, for a holder or a waiter.
  /// With the name of its program only: the end of a long path would be cut off, and what follows it.
  static func process(of waiter: Sent.Waiter) -> String {
    process(waiter.pid ?? 0, waiter.executable?.split(separator: "/").last.map(String.init))
  }

  static func process(_ pid: Int, _ executable: String?) -> String {
    "pid \(pid)\(executable.map { " \(DisplayText.escaped($0))" } ?? "")"
  }
}
