internal import WatchwordClient
internal import WatchwordJSON

/// `watchword credentials`: what a session holds.
struct CredentialsCommand: Command {
  static let name = "credentials"
  static let summary = "credentials that a session holds"
  static let synopsis = "[options]"
  static let about =
    "Lists who is known where, how often each was used and how long it is good. Never a secret."
  static let example = "watchword credentials --session reports"

  static var options: [Option<CredentialsCommand>] {
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
    let list = try daemon.connect().ask("credential/list") { SessionScope.write(name, to: &$0) }
    if isJSON {
      StandardOutput.write(JSONText.of(list) + "\n")
    } else {
      let lines = (list["credentials"]?.elements ?? []).map { CredentialLine.text(of: $0) + "\n" }
      StandardOutput.write(lines.joined())
    }
    return .success
  }
}
