internal import WatchwordJSON

/// `watchword credentials`: lists the credentials of a session.
struct CredentialsCommand: ListingCommand {
  static let name = "credentials"
  static let summary = "list a session's credentials"
  static let about =
    "Lists stored credentials with user, protection space, uses and expiry. Never a secret."
  static let example = "watchword credentials --session reports"

  static let method = "credential/list"
  static let member = "credentials"

  var daemon = DaemonOptions()
  var listing = Listing()

  static func line(of element: JSONValue) -> String { CredentialLine.text(of: element) }
}
