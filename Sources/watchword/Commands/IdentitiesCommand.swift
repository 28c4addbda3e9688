internal import WatchwordMessages

/// `watchword identities`: lists the client certificates of a session.
struct IdentitiesCommand: ListingCommand {
  static let name = "identities"
  static let summary = "list a session's client certificates"
  static let about = """
    Lists the client certificates of a session, the one added last first, and then the permanent ones: id,
    subject, issuer, expiry and uses. Never a key.
    """
  static let example = "watchword identities --session reports"

  var daemon = DaemonOptions()
  var listing = Listing()

  func request(_ session: String?) -> Request.IdentityList { Request.IdentityList(session: session) }

  static func lines(_ list: Sent.IdentityList) -> [String] {
    list.identities.map { IdentityLine.text(of: $0) }
  }
}
