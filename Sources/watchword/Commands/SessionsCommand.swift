internal import Glibc
internal import WatchwordClient
internal import WatchwordMessages
internal import WatchwordOptions

/// `watchword sessions`: lists sessions.
struct SessionsCommand: Command {
  static let name = "sessions"
  static let summary = "list sessions"
  static let synopsis = "[options]"
  static let about = "Lists your sessions with their holders, tasks and stored credentials. Root sees all."
  static let example = "watchword sessions --json"

  static var options: [Option<SessionsCommand>] { [Option(nil, "json", "as JSON") { $0.isJSON = true }] }

  var daemon = DaemonOptions()
  private var isJSON = false

  mutating func run() throws(Failure) -> ExitCode {
    let client = try daemon.connect()
    let list = try client.askReply(Request.SessionList())
    let sessions = list.result.sessions
    if isJSON {
      StandardOutput.write(JSONText.of(list.text) + "\n")
    } else if !sessions.isEmpty {
      StandardOutput.write(SessionText.table(sessions.map { SessionText.Row($0) }))
    }
    if sessions.isEmpty { try LockState.explain(client, fromVault: false) }
    return .success
  }
}
