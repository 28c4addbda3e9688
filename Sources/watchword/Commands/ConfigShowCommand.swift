internal import WatchwordClient
internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordOptions
internal import WatchwordPrimitives

/// `watchword config show`: the settings of the daemon that runs.
struct ConfigShowCommand: Command {
  static let name = "config show"
  static let summary = "show the running daemon's settings and their file"
  static let synopsis = "[options]"
  static let about = """
    Shows the settings that the running daemon uses, and the file that they are from. Changes of the file \
    since it was read last do not show: "watchword reload" has it read again.
    """
  static let example = "watchword config show"
  static var options: [Option<ConfigShowCommand>] {
    [Option(nil, "json", "as JSON") { $0.isJSON = true }]
  }

  var daemon = DaemonOptions(mayStart: false, isStarter: false)
  private var isJSON = false

  mutating func run() throws(Failure) -> ExitCode {
    let reply = try daemon.connect().askReply(Request.ServerConfiguration())
    StandardOutput.write(isJSON ? JSONText.of(reply.text) + "\n" : Self.text(of: reply.result))
    return .success
  }

  private static func text(of configuration: Sent.ServerConfiguration) -> String {
    let path = configuration.path.map { DisplayText.escaped($0) } ?? "none"
    let origin = configuration.isGiven ? "given with --configuration" : "your own"
    var text = "file: \(path) (\(configuration.isRead ? origin : "does not exist"))\n"
    for member in configuration.members {
      let value =
        member.value == .null ? "not set" : DisplayText.escaped(JSONText.of(member.value), longest: 1000)
      text += "  \(DisplayText.escaped(member.name)) \(value)\(member.isDefault ? " (default)" : "")\n"
    }
    return text
  }
}
