internal import WatchwordMessages

/// `watchword identities remove`: removes client certificates.
struct RemoveIdentityCommand: RemovalCommand {
  static let name = "identities remove"
  static let summary = "remove a client certificate"
  static let synopsis = "[options] ID | --all"
  static let about = """
    Removes a client certificate and its key, by the id that "watchword identities" shows, or all of them,
    the permanent ones included. The connections that rest on it are closed. Prints the number of removed
    certificates; none is a failure.
    """
  static let example = "watchword identities remove i-5f1c0b6e9a2d4c8f7e3b1a0d9c8b7a6f"

  static let question = "the certificate is missing"
  static let lister = "watchword identities"

  var daemon = DaemonOptions()
  var removal = Removal()

  var request: Request.IdentityRemove {
    Request.IdentityRemove(session: removal.session, identity: removal.identifier)
  }
}
