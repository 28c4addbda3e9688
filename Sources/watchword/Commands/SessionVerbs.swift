internal import WatchwordClient
internal import WatchwordJSON

/// A verb that takes a session's name and needs nothing else.
protocol SessionVerb: Command {
  /// The RPC method.
  static var method: String { get }
  var session: String? { get set }
  var isJSON: Bool { get set }
}

extension SessionVerb {
  static var synopsis: String { "[options] NAME" }
  static var options: [Option<Self>] {
    [Option(nil, "json", "print the daemon's answer as JSON") { $0.isJSON = true }]
  }

  mutating func take(operand: String) throws(Failure) {
    guard session == nil else { throw .usage("one session at a time, please") }
    session = operand
  }

  mutating func run() throws(Failure) -> ExitCode {
    guard let name = session else { throw .usage("which session?", hint: "watchword sessions lists them") }
    let result = try daemon.connect().ask(Self.method) { SessionScope.write(name, to: &$0) }
    if isJSON { StandardOutput.write(JSONText.of(result) + "\n") }
    return .success
  }
}

/// `watchword sessions reset`: forgets what a session was given.
struct ResetSessionCommand: SessionVerb {
  static let name = "sessions reset"
  static let summary = "forget a session's credentials and cookies"
  static let about = """
    Forgets the credentials, cookies and trust decisions of a session; the session goes on. What is
    permanent stays: "watchword trust remove" takes it back.
    """
  static let example = "watchword sessions reset reports"
  static let method = "session/reset"
  var daemon = DaemonOptions()
  var session: String?
  var isJSON = false
}

/// `watchword sessions finish`: ends a session when its tasks are done.
struct FinishSessionCommand: SessionVerb {
  static let name = "sessions finish"
  static let summary = "end a session when its tasks are done"
  static let about =
    "Lets the tasks of a session come to their end, takes no new ones, and forgets the session."
  static let example = "watchword sessions finish reports"
  static let method = "session/finish"
  var daemon = DaemonOptions()
  var session: String?
  var isJSON = false
}

/// `watchword sessions invalidate`: ends a session and its tasks at once.
struct InvalidateSessionCommand: SessionVerb {
  static let name = "sessions invalidate"
  static let summary = "end a session and cancel its tasks"
  static let about = "Cancels the tasks of a session and forgets it at once."
  static let example = "watchword sessions invalidate reports"
  static let method = "session/invalidate"
  var daemon = DaemonOptions()
  var session: String?
  var isJSON = false
}
