internal import Glibc
internal import WatchwordMessages
internal import WatchwordOptions
internal import WatchwordVocabulary

/// `watchword status`: shows the state of the daemon.
struct StatusCommand: Command {
  static let name = "status"
  static let summary = "show the daemon and its sessions"
  static let synopsis = "[options]"
  static let about = """
    Shows the challenges that wait for an answer and the ten busiest sessions, on one screen. --all shows
    every session with its holders and credentials, counters and limits. You see your own sessions; root
    sees all. No daemon is started: without one the exit code is 5.

    --watch is a screen of the terminal's size: who is asked and who waits, fetches, bytes and failures a
    second, how long fetches took (half of them, 90 and 99 percent), the sessions. Keys scroll and sort the
    sessions, answer a challenge, and quit; they are named in its last line. NO_COLOR leaves out bold and
    reversed letters. Without a terminal, where TERM is dumb or missing, and with the other forms, the text
    is shown again after every change.

    --check prints one line for a monitor. Its exit code is 0, 1 when something is locked or failing, or 5.
    """
  static let example = "watchword status --watch"

  static var options: [Option<StatusCommand>] {
    [
      Option(nil, "all", "every session with its holders and credentials, counters and limits") {
        $0.forms.insert(.all)
      },
      Option(nil, "limits", "counters, and limits with their use") { $0.forms.insert(.limits) },
      Option(nil, "check", "one line, and exit code 0 when all is well") { $0.forms.insert(.check) },
      Option(nil, "json", "the snapshot as JSON on one line") { $0.forms.insert(.json) },
      Option(nil, "metrics", "OpenMetrics text for a collector") { $0.forms.insert(.metrics) },
      Option(nil, "by-session", "with --metrics: series of each session, too") { $0.isBySession = true },
      Option("w", "watch", "a screen that follows what happens; see above") { $0.isWatching = true },
    ]
  }

  private enum Form {
    case people
    case all
    case limits
    case check
    case json
    case metrics
  }

  var daemon = DaemonTarget(mayStart: false, isStarter: false)
  private var forms: Set<Form> = []
  private var isWatching = false
  private var isBySession = false

  private var form: Form { forms.first ?? .people }

  mutating func run() throws(Failure) -> ExitCode {
    guard forms.count <= 1 else {
      throw .usage("--all, --limits, --check, --json and --metrics exclude each other")
    }
    guard form == .metrics || !isBySession else { throw .usage("--by-session needs --metrics") }
    if form == .check { return try check() }
    let client = try daemon.connect()
    return isWatching ? try watch(client) : try showOnce(client)
  }

  private func watch(_ client: WatchwordClient) throws(Failure) -> ExitCode {
    guard form == .people, let terminal = ScreenTerminal() else { return try showAgain(client) }
    return try StatusWatch(on: terminal, client, daemon).run()
  }

  private func showOnce(_ client: WatchwordClient) throws(Failure) -> ExitCode {
    let status = try client.askReply(Request.Status())
    let isWhole = try !revealChallenges(in: status.result, client)
    let shown = isWhole ? status : try client.askReply(Request.Status())
    StandardOutput.write(text(of: shown.result, JSONText.of(shown.text)))
    return .success
  }

  private func check() throws(Failure) -> ExitCode {
    guard !isWatching else { throw .usage("--check and --watch exclude each other") }
    do throws(Failure) {
      let verdict = StatusCheck(try daemon.connect().ask(Request.Status()))
      StandardOutput.write(verdict.line + "\n")
      return verdict.isGood ? .success : .failure
    } catch {
      // A monitor shows what is on standard output.
      StandardOutput.write("\(error.message ?? "the daemon does not answer")\n")
      return error.exitCode
    }
  }

  /// Whether the snapshot lacks what is shown of challenges; it will not when it is asked for again.
  private func revealChallenges(
    in snapshot: Sent.StatusSnapshot, _ client: WatchwordClient
  ) throws(Failure) -> Bool {
    guard form != .metrics, form != .limits else { return false }
    return try HiddenChallenges.reveal(in: snapshot, client)
  }

  /// A plain text after every change.
  private func showAgain(_ client: WatchwordClient) throws(Failure) -> ExitCode {
    try redraw(try client.ask(Request.Status()), client)
    var latest: Sent.StatusSnapshot?
    client.onNotification = { (notification) throws(ClientError) in
      if case .statusDidChange(let snapshot) = notification { latest = snapshot }
    }
    try client.ask(Request.StatusSubscribe())
    while true {
      do throws(ClientError) {
        try client.notify()
        if latest == nil { try client.receive() }
      } catch {
        throw Failure(error)
      }
      guard let snapshot = latest else { continue }
      latest = nil
      try redraw(snapshot, client)
    }
  }

  private func redraw(_ snapshot: Sent.StatusSnapshot, _ client: WatchwordClient) throws(Failure) {
    let isWhole = try !revealChallenges(in: snapshot, client)
    let shown = isWhole ? snapshot : try client.ask(Request.Status())
    let text = text(of: shown, JSONText.of(shown))
    let isDrawn = form != .json && form != .metrics && ScreenTerminal.isOutput
    StandardOutput.write(isDrawn ? ScreenTerminal.overwriting(text) : text)
  }

  private func text(of snapshot: Sent.StatusSnapshot, _ json: @autoclosure () -> String) -> String {
    switch form {
    case .people, .check: StatusScreen.text(of: snapshot)
    case .all: StatusText.of(snapshot)
    case .limits: StatusText.limits(of: snapshot)
    case .json: json() + "\n"
    case .metrics: OpenMetrics.text(of: snapshot, isBySession: isBySession)
    }
  }
}

/// What a monitor is told about a snapshot: one line, and whether all is well.
struct StatusCheck {
  let isGood: Bool
  let line: String

  init(_ snapshot: Sent.StatusSnapshot) {
    let problems = Self.problems(snapshot)
    isGood = problems.isEmpty
    let sessions = snapshot.sessions.compactMap(\.value)
    let asked = sessions.map(\.pendingChallenges).reduce(0, +)
    let counts = [
      Quantity.count(sessions.count, "session"), Quantity.count(sessions.map(\.tasks).reduce(0, +), "task"),
      asked == 0 ? "no challenge pending" : Quantity.count(asked, "challenge") + " pending",
    ]
    line =
      (isGood ? "ok: " : "\(problems.joined(separator: "; ")): ")
      + "watchwordd \(DisplayText.escaped(snapshot.version)), up \(Quantity.seconds(snapshot.uptimeSeconds)), "
      + counts.joined(separator: ", ")
  }

  /// What keeps fetches from what they need.
  private static func problems(_ snapshot: Sent.StatusSnapshot) -> [String] {
    var problems: [String] = []
    if snapshot.locked { problems.append("the agent is locked") }
    let reason = snapshot.vault.reason.map { " (\(DisplayText.escaped($0)))" } ?? ""
    switch snapshot.vault.state {
    case "locked": problems.append("the vault is locked\(reason)")
    case "unavailable": problems.append("the vault is unavailable\(reason)")
    default: break
    }
    if snapshot.vault.unreadable > 0 {
      problems.append("\(Quantity.count(snapshot.vault.unreadable, "record")) of the vault cannot be opened")
    }
    for source in snapshot.sources {
      guard let fault = source.lastError else { continue }
      problems.append("source \(DisplayText.escaped(source.source)): \(DisplayText.escaped(fault))")
    }
    return problems
  }
}
