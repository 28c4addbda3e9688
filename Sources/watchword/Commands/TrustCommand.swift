internal import WatchwordClient
internal import WatchwordJSON

/// `watchword trust`: what a session has decided about servers' certificates.
struct TrustCommand: Command {
  static let name = "trust"
  static let summary = "decisions about servers' certificates"
  static let synopsis = "[options]"
  static let about = """
    Lists the certificates and keys that a session accepts although they are not trusted, or was asked
    about: the id, the origin, what is accepted, what was excused, how often it was used.
    """
  static let example = "watchword trust --session reports"

  static var options: [Option<TrustCommand>] {
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
    let list = try daemon.connect().ask("trust/list") { SessionScope.write(name, to: &$0) }
    if isJSON {
      StandardOutput.write(JSONText.of(list) + "\n")
    } else {
      let lines = (list["trust"]?.elements ?? []).map { TrustLine.text(of: $0) + "\n" }
      StandardOutput.write(lines.joined())
    }
    return .success
  }
}
