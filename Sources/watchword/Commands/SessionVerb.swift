internal import WatchwordMessages
internal import WatchwordOptions

/// A command that takes only a session's name.
protocol SessionVerb: Command {
  associatedtype Verb: MethodRequest
  func request(_ session: String) -> Verb

  var session: String? { get set }
  var isJSON: Bool { get set }
}

extension SessionVerb {
  static var synopsis: String { "[options] NAME" }
  static var options: [Option<Self>] {
    [Option(nil, "json", "print the daemon's reply as JSON") { $0.isJSON = true }]
  }

  mutating func take(operand: String) throws(Failure) {
    guard session == nil else { throw .usage("only one session is allowed") }
    session = operand
  }

  mutating func run() throws(Failure) -> ExitCode {
    guard let name = session else {
      throw .usage("the name of the session is missing", hint: "watchword sessions lists them")
    }
    let reply = try daemon.connect().askReply(request(name))
    if isJSON { StandardOutput.write(JSONText.of(reply.text) + "\n") }
    return .success
  }
}

/// `watchword sessions finish`: ends a session when its tasks are done.
struct FinishSessionCommand: SessionVerb {
  static let name = "sessions finish"
  static let summary = "end a session when its tasks are done"
  static let about =
    "Accepts no new tasks for a session, waits for the running ones, then ends the session."
  static let example = "watchword sessions finish reports"
  var daemon = DaemonTarget()
  var session: String?
  var isJSON = false

  func request(_ session: String) -> Request.SessionFinish { Request.SessionFinish(session: session) }
}

/// `watchword sessions invalidate`: ends a session and its tasks at once.
struct InvalidateSessionCommand: SessionVerb {
  static let name = "sessions invalidate"
  static let summary = "end a session and cancel its tasks"
  static let about = "Cancels the tasks of a session and ends the session at once."
  static let example = "watchword sessions invalidate reports"
  var daemon = DaemonTarget()
  var session: String?
  var isJSON = false

  func request(_ session: String) -> Request.SessionInvalidate { Request.SessionInvalidate(session: session) }
}

/// `watchword sessions reset`: removes the credentials, decisions and identities of a session.
struct ResetSessionCommand: SessionVerb {
  static let name = "sessions reset"
  static let summary = "remove a session's credentials, decisions and cookies"
  static let about = """
    Removes the credentials, cookies, decisions and client certificates of a session. The session and its
    tasks continue. Permanent decisions remain; "watchword trust remove" removes them.
    """
  static let example = "watchword sessions reset reports"
  var daemon = DaemonTarget()
  var session: String?
  var isJSON = false

  func request(_ session: String) -> Request.SessionReset { Request.SessionReset(session: session) }
}
