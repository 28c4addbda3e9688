internal import Glibc
internal import WatchwordClient
internal import WatchwordMessages
internal import WatchwordOptions

/// `watchword sessions`: lists sessions.
struct SessionsCommand: Command {
  static let name = "sessions"
  static let summary = "list sessions"
  static let synopsis = "[options]"
  static let about = """
    Lists your sessions with their holders, tasks and stored credentials, and how long nobody has used them. \
    Those that nobody holds and that were not used for an hour are counted only. Root sees all.
    """
  static let example = "watchword sessions --json"

  static var options: [Option<SessionsCommand>] {
    [
      Option("a", "all", "those that were not used for an hour, too") { $0.showsAll = true },
      Option(nil, "json", "as JSON: all of them") { $0.isJSON = true },
    ]
  }

  var daemon = DaemonOptions()
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
    if !shown.isEmpty { StandardOutput.write(SessionText.table(shown)) }
    let hidden = rows.count - shown.count
    if hidden > 0 {
      Diagnostics.write("\(hidden) more not used for an hour: watchword sessions --all shows them\n")
    }
  }
}
