/// `watchword trust remove`: takes decisions about servers' certificates back.
struct RemoveTrustCommand: RemovalCommand {
  static let name = "trust remove"
  static let summary = "take such decisions back"
  static let synopsis = "[options] ID | --origin URL | --all"
  static let about = """
    Takes back what a session has decided about certificates: by the id that "watchword trust" shows, for
    an origin, or everything; what is permanent for every session. The connections that rest on it are
    closed, and somebody is asked again. Prints how many are gone; none is a failure.
    """
  static let example = "watchword trust remove --origin https://dev.example:8443/"

  static var options: [Option<RemoveTrustCommand>] {
    [
      Option(nil, "origin", "URL", "all about this URL's origin") { (command, url) throws(Failure) in
        command.origin = try URLText.argument(url)
      }
    ] + removalOptions
  }

  static let method = "trust/remove"
  static let member = "trust"
  static let question = "which decision?"
  static let lister = "watchword trust"

  var daemon = DaemonOptions()
  var removal = Removal()
  private var origin: String?

  var selection: (option: String, member: String, value: String?)? {
    ("--origin", "origin", origin)
  }
}
