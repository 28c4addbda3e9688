internal import WatchwordClient
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
