internal import WatchwordJSON

/// `watchword trust`: lists a session's decisions about servers' certificates.
struct TrustCommand: ListingCommand {
  static let name = "trust"
  static let summary = "list decisions about servers' certificates"
  static let about = """
    Lists the decisions of a session about certificates and keys: id, origin, what is accepted, persistence,
    accepted reasons and uses. Permanent decisions hold for every session; their ids begin with p.
    """
  static let example = "watchword trust --session reports"

  static let method = "trust/list"
  static let member = "trust"

  var daemon = DaemonOptions()
  var listing = Listing()

  static func line(of element: JSONValue) -> String { TrustLine.text(of: element) }
}
