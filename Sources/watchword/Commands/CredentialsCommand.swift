internal import WatchwordMessages

/// `watchword credentials`: lists the credentials of a session.
struct CredentialsCommand: ListingCommand {
  static let name = "credentials"
  static let summary = "list a session's credentials"
  static let about =
    "Lists stored credentials with user, protection space, uses and expiry. Never a secret."
  static let example = "watchword credentials --session reports"

  var daemon = DaemonOptions()
  var listing = Listing()

  func request(_ session: String?) -> Request.CredentialList { Request.CredentialList(session: session) }

  static func lines(_ list: Sent.CredentialList) -> [String] {
    list.credentials.compactMap(\.value).map { CredentialLine.text(of: $0) }
  }
}
