internal import WatchwordClient
internal import WatchwordMessages
internal import WatchwordOptions

/// `watchword credentials remove`: removes credentials of an origin.
struct RemoveCredentialCommand: Command {
  static let name = "credentials remove"
  static let summary = "remove the credentials of an origin"
  static let synopsis = "[options] URL"
  static let about = """
    Removes a session's credentials for the URL's origin: all of them, or those that match --realm,
    --method, --user, --key and --path. Prints the number of removed credentials; none is a failure.
    """
  static let example = "watchword credentials remove https://intranet.example/ --user reader"

  static var options: [Option<RemoveCredentialCommand>] {
    [
      Option("u", "user", "USER", "only this user's") { $0.user = $1 },
      Option(nil, "key", "FIELD", "only the keys for this header field") { $0.space.field = $1 },
      Option(nil, "path", "PATH", "only what is kept for this path and below") { $0.path = $1 },
      Option(nil, "json", "as JSON") { $0.isJSON = true },
    ] + SpaceOptions.options { $1(&$0.space) }
  }

  var daemon = DaemonOptions()
  private var space = SpaceOptions()
  private var user: String?
  /// As the list shows it.
  private var path: String?
  private var isJSON = false

  static let operandsAreOctets = true

  mutating func take(operand: String) throws(Failure) { try space.take(url: operand) }

  mutating func run() throws(Failure) -> ExitCode {
    let client = try daemon.connect()
    let origin = try space.origin(client)
    let list = try client.ask(Request.CredentialList(session: space.session))
    var removed = 0
    for credential in list.credentials.compactMap(\.value) where matches(credential, origin) {
      removed +=
        try client.ask(
          Request.CredentialRemove(
            session: space.session, protectionSpace: credential.protectionSpace.key, user: credential.user,
            path: path.map { .some($0) })
        ).removed
    }
    if isJSON {
      StandardOutput.write("{\"removed\":\(removed)}\n")
    } else {
      StandardOutput.write("removed \(removed)\n")
    }
    return removed > 0 ? .success : .failure
  }

  private func matches(_ credential: Sent.StoredCredential, _ origin: SpaceOptions.Origin) -> Bool {
    space.covers(credential.protectionSpace, of: origin) && (user == nil || credential.user == user)
      && (path == nil || credential.limits.pathPrefixes == path.map { [$0] })
  }
}
