internal import WatchwordJSON

/// `watchword credentials`: what a session holds.
struct CredentialsCommand: ListingCommand {
  static let name = "credentials"
  static let summary = "credentials that a session holds"
  static let about =
    "Lists who is known where, how often each was used and how long it is good. Never a secret."
  static let example = "watchword credentials --session reports"

  static let method = "credential/list"
  static let member = "credentials"

  var daemon = DaemonOptions()
  var listing = Listing()

  static func line(of element: JSONValue) -> String { CredentialLine.text(of: element) }
}
