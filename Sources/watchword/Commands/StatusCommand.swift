internal import Glibc
internal import WatchwordClient
internal import WatchwordJSON

/// `watchword status`: shows the state of the daemon.
struct StatusCommand: Command {
  static let name = "status"
  static let summary = "show the daemon and its sessions"
  static let synopsis = "[options]"
  static let about = """
    Shows the daemon, its sessions with their holders and credentials, pending challenges, counters and
    limits. You see your own sessions; root sees all.
    """
  static let example = "watchword status --watch"

  static var options: [Option<StatusCommand>] {
    [
      Option(nil, "json", "the snapshot as JSON on one line") { $0.forms.insert(.json) },
      Option(nil, "metrics", "OpenMetrics text for a collector") { $0.forms.insert(.metrics) },
      Option("w", "watch", "show it again after every change") { $0.isWatching = true },
    ]
  }

  private enum Form {
    case people
    case json
    case metrics
  }

  var daemon = DaemonOptions()
  private var forms: Set<Form> = []
  private var isWatching = false

  private var form: Form { forms.first ?? .people }

  mutating func run() throws(Failure) -> ExitCode {
    guard forms.count <= 1 else { throw .usage("--json and --metrics exclude each other") }
    let client = try daemon.connect()
    return isWatching ? try watch(client) : try showOnce(client)
  }

  private func showOnce(_ client: WatchwordClient) throws(Failure) -> ExitCode {
    show(try complete(try client.ask("status"), client))
    return .success
  }

  /// Adds the pending challenges of every session to the snapshot.
  ///
  /// The daemon shows a challenge only to the holders of its session. So this process holds every session with a
  /// challenge from now on; it holds no other, because repeated status commands would keep it from becoming idle.
  private func complete(_ snapshot: JSONValue, _ client: WatchwordClient) throws(Failure) -> JSONValue {
    let shown = Set(snapshot["challenges"]?.elements.compactMap { $0["session"]?.text } ?? [])
    let hidden = (snapshot["sessions"]?.elements ?? []).filter { session in
      session["pendingChallenges"]?.integer ?? 0 > 0 && session["named"]?.flag == true
        && session["uid"]?.integer == Int64(getuid()) && !shown.contains(session["session"]?.text ?? "")
    }
    guard !hidden.isEmpty, form != .metrics else { return snapshot }
    for session in hidden {
      _ = try client.ask("challenge/list") { SessionScope.write(session["session"]?.text, to: &$0) }
    }
    return try client.ask("status")
  }

  private func watch(_ client: WatchwordClient) throws(Failure) -> ExitCode {
    redraw(try complete(try client.ask("status"), client))
    var latest: JSONValue?
    client.onNotification = { (notification) throws(ClientError) in
      if notification.method == "status/didChange" { latest = notification.parameters }
    }
    try client.ask("status/subscribe")
    while true {
      do throws(ClientError) {
        try client.notify()
        if latest == nil { try client.receive() }
      } catch {
        throw Failure(error)
      }
      guard let snapshot = latest else { continue }
      latest = nil
      redraw(try complete(snapshot, client))
    }
  }

  private func redraw(_ snapshot: JSONValue) {
    if form == .people, isatty(STDOUT_FILENO) == 1 { StandardOutput.write("\u{1b}[H\u{1b}[2J") }
    show(snapshot)
  }

  private func show(_ snapshot: JSONValue) {
    switch form {
    case .people: StandardOutput.write(StatusText.of(snapshot))
    case .json: StandardOutput.write(JSONText.of(snapshot) + "\n")
    case .metrics: StandardOutput.write(OpenMetrics.text(of: snapshot))
    }
  }
}
