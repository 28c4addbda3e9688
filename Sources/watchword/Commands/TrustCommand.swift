internal import WatchwordJSON

/// `watchword trust`: what a session has decided about servers' certificates.
struct TrustCommand: ListingCommand {
  static let name = "trust"
  static let summary = "decisions about servers' certificates"
  static let about = """
    Lists the certificates and keys that a session accepts although they are not trusted, or was asked
    about: the id, the origin, what is accepted, for how long, what was excused, how often it was used.
    Those that are permanent count in every session and have ids that begin with p.
    """
  static let example = "watchword trust --session reports"

  static let method = "trust/list"
  static let member = "trust"

  var daemon = DaemonOptions()
  var listing = Listing()

  static func line(of element: JSONValue) -> String { TrustLine.text(of: element) }
}
