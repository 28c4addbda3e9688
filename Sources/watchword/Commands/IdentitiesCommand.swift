internal import WatchwordClient
internal import WatchwordJSON

/// `watchword identities`: the client certificates of a session.
struct IdentitiesCommand: Command {
  static let name = "identities"
  static let summary = "client certificates that a session holds"
  static let synopsis = "[options]"
  static let about = """
    Lists the client certificates of a session, the one that was added last first: the id, whose it is, who
    issued it, until when it is good, how often it was presented. Never a key.
    """
  static let example = "watchword identities --session reports"

  static var options: [Option<IdentitiesCommand>] {
    [
      Option(nil, "session", "NAME", "of this session [default]") { $0.session = $1 },
      Option(nil, "json", "as JSON") { $0.isJSON = true },
    ]
  }

  var daemon = DaemonOptions()
  private var session: String?
  private var isJSON = false

  mutating func run() throws(Failure) -> ExitCode {
    let name = session
    let list = try daemon.connect().ask("identity/list") { SessionScope.write(name, to: &$0) }
    if isJSON {
      StandardOutput.write(JSONText.of(list) + "\n")
    } else {
      let lines = (list["identities"]?.elements ?? []).map { IdentityLine.text(of: $0) + "\n" }
      StandardOutput.write(lines.joined())
    }
    return .success
  }
}
