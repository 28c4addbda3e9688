internal import Glibc
internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordOptions
internal import WatchwordVocabulary

/// `watchword sessions`: lists sessions.
struct SessionsCommand: Command {
  static let name = "sessions"
  static let summary = "list sessions"
  static let synopsis = "[options]"
  static let about = """
    Lists your sessions with their holders, tasks and stored credentials, and how long nobody has used them. \
    Those that nobody holds and that were not used for an hour are counted only. Root sees all. On a terminal \
    the names are short, and the state is asks, busy, held or idle; "watchword sessions describe" shows one.
    """
  static let example = "watchword sessions --json"

  static var options: [Option<SessionsCommand>] {
    [
      Option("a", "all", "those that were not used for an hour, too") { $0.showsAll = true },
      Option(nil, "json", "as JSON: all of them") { $0.isJSON = true },
    ]
  }

  var daemon = DaemonTarget()
  private var showsAll = false
  private var isJSON = false

  mutating func run() throws(Failure) -> ExitCode {
    let client = try daemon.connect()
    let list = try client.askReply(Request.SessionList())
    let sessions = list.result.sessions
    if isJSON {
      StandardOutput.write(JSONText.of(list.text) + "\n")
    } else if !sessions.isEmpty {
      show(sessions.map { SessionText.Row($0) })
    }
    if sessions.isEmpty { try LockState.explain(client, fromVault: false) }
    return .success
  }

  private func show(_ rows: [SessionText.Row]) {
    let shown = showsAll ? rows : rows.filter(\.isRecent)
    if !shown.isEmpty {
      StandardOutput.write(
        isatty(STDOUT_FILENO) == 1 ? SessionText.shortTable(shown) : SessionText.table(shown))
    }
    let hidden = rows.count - shown.count
    if hidden > 0 {
      Diagnostics.write("\(hidden) more not used for an hour: watchword sessions --all shows them\n")
    }
  }
}

/// `watchword sessions describe`: shows one session with its settings.
struct DescribeSessionCommand: Command {
  static let name = "sessions describe"
  static let summary = "show a session's holders and settings"
  static let synopsis = "[options] [NAME]"
  static let about =
    "Shows a session, its holders and all its settings. Without a name, the session is default."
  static let example = "watchword sessions describe reports"

  static var options: [Option<DescribeSessionCommand>] {
    [Option(nil, "json", "as JSON") { $0.isJSON = true }]
  }

  var daemon = DaemonTarget()
  private var session: String?
  private var isJSON = false

  mutating func take(operand: String) throws(Failure) {
    guard session == nil else { throw .usage("only one session is allowed") }
    session = operand
  }

  mutating func run() throws(Failure) -> ExitCode {
    let reply = try daemon.connect().askReply(Request.SessionDescribe(session: session))
    if isJSON {
      StandardOutput.write(JSONText.of(reply.text) + "\n")
      return .success
    }
    let description = reply.result
    var text = "\(DisplayText.escaped(description.session))\n"
    for holder in SessionText.others(among: description.holders) {
      text += "  held by \(SessionText.process(holder.pid, holder.executable))\n"
    }
    let counts = [
      ("uid", description.uid), ("tasks", description.tasks), ("credentials", description.credentials),
      ("trust", description.trust), ("identities", description.identities),
      ("connections", description.connections), ("pendingChallenges", description.pendingChallenges),
    ]
    for (name, count) in counts { text += "  \(name) \(count)\n" }
    description.configuration.node?.forEachMember { name, member in
      let value = DisplayText.escaped(JSONText.of(member), longest: 1000)
      text += "  \(DisplayText.escaped(name.text)) \(value)\n"
      return true
    }
    StandardOutput.write(text)
    return .success
  }
}

/// `watchword sessions prune`: ends the sessions that nobody uses.
struct PruneSessionsCommand: Command {
  static let name = "sessions prune"
  static let summary = "end sessions that nobody uses"
  static let synopsis = "[options]"
  static let about = """
    Ends your named sessions that were not used for an hour, with what they have in memory: no program holds \
    them, and no task runs. What is permanent stays. Prints their names.
    """
  static let example = "watchword sessions prune --older-than 86400"
  static var options: [Option<PruneSessionsCommand>] {
    [
      Option(nil, "older-than", "SECONDS", "not used for so long [3600]; 0: however short") {
        (command, text) throws(Failure) in
        command.seconds = try Number.limit(text, "--older-than") ?? 0
      },
      Option(nil, "json", "print the daemon's reply as JSON") { $0.isJSON = true },
    ]
  }

  var daemon = DaemonTarget(mayStart: false, isStarter: false)
  private var seconds = SessionText.recentSeconds
  private var isJSON = false

  mutating func run() throws(Failure) -> ExitCode {
    let reply = try daemon.connect().askReply(Request.SessionPrune(olderThanSeconds: seconds))
    StandardOutput.write(
      isJSON
        ? JSONText.of(reply.text) + "\n"
        : reply.result.sessions.map { DisplayText.escaped($0) + "\n" }.joined())
    return .success
  }
}

/// The sessions that a command opens or names.
enum SessionScope {
  /// Opens every named session of this user: only its holders may see and answer its challenges.
  static func openAll(_ client: WatchwordClient) throws(Failure) {
    for session in try named(client) { try open(session, client) }
  }

  /// Opens this session; as for a fetch, a missing one is created. Nil: `default`, which is always there.
  static func open(_ name: String?, _ client: WatchwordClient) throws(Failure) {
    guard let name else { return }
    try client.ask(Request.SessionOpen(name: name))
  }

  /// The names of this user's named sessions.
  static func named(_ client: WatchwordClient) throws(Failure) -> [String] {
    try client.ask(Request.SessionList()).sessions.filter { $0.named && $0.uid == Int(getuid()) }
      .map(\.session)
  }
}
