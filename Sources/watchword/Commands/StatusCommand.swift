internal import Glibc
internal import WatchwordClient
internal import WatchwordJSON

/// `watchword status`: what the daemon is doing.
struct StatusCommand: Command {
  static let name = "status"
  static let summary = "what the daemon is doing"
  static let synopsis = "[options]"
  static let about = """
    Shows the daemon, its sessions with their holders and credentials, pending challenges, counters and
    limits. Your own sessions only; root sees all.
    """
  static let example = "watchword status --watch"

  static var options: [Option<StatusCommand>] {
    [
      Option(nil, "json", "the snapshot as JSON on one line") { $0.form = .json },
      Option(nil, "metrics", "OpenMetrics text for a collector") { $0.form = .metrics },
      Option("w", "watch", "show it again whenever something has changed") { $0.isWatching = true },
    ]
  }

  private enum Form {
    case people
    case json
    case metrics
  }

  var daemon = DaemonOptions()
  private var form = Form.people
  private var isWatching = false

  mutating func run() throws(Failure) -> ExitCode {
    let client = try daemon.connect()
    return isWatching ? try watch(client) : try showOnce(client)
  }

  private func showOnce(_ client: WatchwordClient) throws(Failure) -> ExitCode {
    show(try client.ask("status"), details: form == .people ? try SessionDetails.all(client) : [])
    return .success
  }

  private func watch(_ client: WatchwordClient) throws(Failure) -> ExitCode {
    redraw(try client.ask("status"))
    client.onNotification = { (notification) throws(ClientError) in
      if notification.method == "status/didChange" { redraw(notification.parameters) }
    }
    try client.ask("status/subscribe")
    do throws(ClientError) {
      while true {
        try client.notify()
        try client.receive()
      }
    } catch {
      throw Failure(error)
    }
  }

  private func redraw(_ snapshot: JSONValue) {
    if form == .people, isatty(STDOUT_FILENO) == 1 { StandardOutput.write("\u{1b}[H\u{1b}[2J") }
    show(snapshot, details: [])
  }

  private func show(_ snapshot: JSONValue, details: [SessionDetails]) {
    switch form {
    case .people: StandardOutput.write(StatusText.of(snapshot, details))
    case .json: StandardOutput.write(JSONText.of(snapshot) + "\n")
    case .metrics: StandardOutput.write(OpenMetrics.text(of: snapshot))
    }
  }
}
