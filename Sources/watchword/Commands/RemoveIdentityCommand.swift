internal import WatchwordClient
internal import WatchwordJSON

/// `watchword identities remove`: forgets client certificates.
struct RemoveIdentityCommand: Command {
  static let name = "identities remove"
  static let summary = "forget a client certificate"
  static let synopsis = "[options] ID | --all"
  static let about = """
    Forgets a client certificate and its key, by the id that "watchword identities" shows, or all of them.
    The connections that rest on it are closed. Prints how many are gone; none is a failure.
    """
  static let example = "watchword identities remove i-5f1c0b6e9a2d4c8f7e3b1a0d9c8b7a6f"

  static var options: [Option<RemoveIdentityCommand>] {
    [
      Option(nil, "all", "all of the session") { $0.isAll = true },
      Option(nil, "session", "NAME", "in this session [default]") { $0.session = $1 },
      Option(nil, "json", "as JSON") { $0.isJSON = true },
    ]
  }

  var daemon = DaemonOptions()
  private var identifier: String?
  private var isAll = false
  private var session: String?
  private var isJSON = false

  mutating func take(operand: String) throws(Failure) {
    guard identifier == nil else { throw .usage("one id at a time, please") }
    identifier = operand
  }

  mutating func run() throws(Failure) -> ExitCode {
    guard isAll != (identifier != nil) else {
      throw .usage(
        isAll ? "an id and --all exclude each other" : "which certificate?",
        hint: "watchword identities lists them")
    }
    let (identifier, session) = (identifier, session)
    let result = try daemon.connect().ask("identity/remove") { writer in
      SessionScope.write(session, to: &writer)
      guard let identifier else { return }
      writer.key("identity")
      writer.string(identifier)
    }
    let removed = result["removed"]?.integer ?? 0
    StandardOutput.write(isJSON ? JSONText.of(result) + "\n" : "removed \(removed)\n")
    return removed > 0 ? .success : .failure
  }
}
