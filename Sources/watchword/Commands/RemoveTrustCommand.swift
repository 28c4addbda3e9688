internal import WatchwordClient
internal import WatchwordJSON

/// `watchword trust remove`: takes decisions about servers' certificates back.
struct RemoveTrustCommand: Command {
  static let name = "trust remove"
  static let summary = "take such decisions back"
  static let synopsis = "[options] ID | --origin URL | --all"
  static let about = """
    Takes back what a session has decided about certificates: by the id that "watchword trust" shows, for
    an origin, or everything. The connections that rest on it are closed, and somebody is asked again.
    Prints how many are gone; none is a failure.
    """
  static let example = "watchword trust remove --origin https://dev.example:8443/"

  static var options: [Option<RemoveTrustCommand>] {
    [
      Option(nil, "origin", "URL", "all about this URL's origin") { $0.origin = $1 },
      Option(nil, "all", "all of the session") { $0.isAll = true },
      Option(nil, "session", "NAME", "in this session [default]") { $0.session = $1 },
      Option(nil, "json", "as JSON") { $0.isJSON = true },
    ]
  }

  var daemon = DaemonOptions()
  private var identifier: String?
  private var origin: String?
  private var isAll = false
  private var session: String?
  private var isJSON = false

  mutating func take(operand: String) throws(Failure) {
    guard identifier == nil else { throw .usage("one id at a time, please") }
    identifier = operand
  }

  mutating func run() throws(Failure) -> ExitCode {
    let named = [identifier != nil, origin != nil, isAll].filter { $0 }.count
    guard named == 1 else {
      throw .usage(
        named == 0 ? "which decision?" : "an id, --origin and --all exclude each other",
        hint: "watchword trust lists them")
    }
    let (identifier, origin, session) = (identifier, origin.map(URLText.completed), session)
    let result = try daemon.connect().ask("trust/remove") { writer in
      SessionScope.write(session, to: &writer)
      if let identifier {
        writer.key("trust")
        writer.string(identifier)
      }
      if let origin {
        writer.key("origin")
        writer.string(origin)
      }
    }
    let removed = result["removed"]?.integer ?? 0
    StandardOutput.write(isJSON ? JSONText.of(result) + "\n" : "removed \(removed)\n")
    return removed > 0 ? .success : .failure
  }
}
