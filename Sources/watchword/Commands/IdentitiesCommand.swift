internal import WatchwordJSON

/// `watchword identities`: the client certificates of a session.
struct IdentitiesCommand: ListingCommand {
  static let name = "identities"
  static let summary = "client certificates that a session holds"
  static let about = """
    Lists the client certificates of a session, the one that was added last first: the id, whose it is, who
    issued it, until when it is good, how often it was presented. Never a key.
    """
  static let example = "watchword identities --session reports"

  static let method = "identity/list"
  static let member = "identities"

  var daemon = DaemonOptions()
  var listing = Listing()

  static func line(of element: JSONValue) -> String { IdentityLine.text(of: element) }
}
