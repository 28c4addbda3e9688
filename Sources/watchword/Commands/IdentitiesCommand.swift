internal import WatchwordJSON

/// `watchword identities`: lists the client certificates of a session.
struct IdentitiesCommand: ListingCommand {
  static let name = "identities"
  static let summary = "list a session's client certificates"
  static let about = """
    Lists the client certificates of a session, the one added last first, and then the permanent ones: id,
    subject, issuer, expiry and uses. Never a key.
    """
  static let example = "watchword identities --session reports"

  static let method = "identity/list"
  static let member = "identities"

  var daemon = DaemonOptions()
  var listing = Listing()

  static func line(of element: JSONValue) -> String { IdentityLine.text(of: element) }
}
