internal import WatchwordJSON
internal import WatchwordClient
internal import Glibc

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
    let name = session
    let description = try daemon.connect().ask("session/describe") { SessionScope.write(name, to: &$0) }
    if isJSON {
      StandardOutput.write(JSONText.of(description) + "\n")
      return .success
    }
    let holders = description["holders"]?.elements.filter { $0["pid"]?.integer != Int64(getpid()) } ?? []
    var text = "\(DisplayText.escaped(description["session"]?.text ?? ""))\n"
    for holder in holders { text += "  held by \(SessionText.process(holder))\n" }
    for member in description.members where member.value.integer != nil {
      text += "  \(DisplayText.escaped(member.name)) \(member.value.integer ?? 0)\n"
    }
    for member in description["configuration"]?.members ?? [] {
      text +=
        "  \(DisplayText.escaped(member.name)) \(DisplayText.escaped(JSONText.of(member.value), longest: 1000))\n"
    }
    StandardOutput.write(text)
    return .success
  }
}
