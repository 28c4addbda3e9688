internal import WatchwordClient
internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordOptions
internal import WatchwordPrimitives

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

  var daemon = DaemonOptions()
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
    if case .object(let configuration) = description.configuration {
      for member in configuration.members {
        let value = DisplayText.escaped(JSONText.of(member.value), longest: 1000)
        text += "  \(DisplayText.escaped(member.name)) \(value)\n"
      }
    }
    StandardOutput.write(text)
    return .success
  }
}
