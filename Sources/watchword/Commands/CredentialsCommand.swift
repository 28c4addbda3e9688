internal import WatchwordMessages
internal import WatchwordOptions

/// `watchword credentials`: lists the credentials of a session.
struct CredentialsCommand: ListingCommand {
  static let name = "credentials"
  static let summary = "list a session's credentials"
  static let about =
    "Lists stored credentials with user, protection space, uses and expiry. Never a secret."
  static let example = "watchword credentials --session reports"

  var daemon = DaemonTarget()
  var listing = Listing()

  func request(_ session: String?) -> Request.CredentialList { Request.CredentialList(session: session) }

  static func lines(_ list: Sent.CredentialList) -> [String] {
    CredentialLine.texts(of: list.credentials.compactMap(\.value))
  }
}

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

  var daemon = DaemonTarget()
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
    if removed == 0 { Diagnostics.hint("watchword credentials lists them") }
    return removed > 0 ? .success : .failure
  }

  private func matches(_ credential: Sent.StoredCredential, _ origin: SpaceOptions.Origin) -> Bool {
    space.covers(credential.protectionSpace, of: origin) && (user == nil || credential.user == user)
      && (path == nil || credential.limits.pathPrefixes == path.map { [$0] })
  }
}

/// `watchword credentials retry`: lets refused credentials from outside a session be sent once more.
struct RetryCredentialsCommand: URLCommand {
  static let name = "credentials retry"
  static let summary = "let refused passwords be tried once more"
  static let synopsis = "[options] URL"
  static let about = """
    The next fetch of the URL sends once more what its server or proxy has refused, if it comes from one of
    the administrator's sources, a netrc or a URL: an account was unlocked. "watchword explain" shows which
    sources wait. Prints how many there are; none is a failure.
    """
  static let example = "watchword credentials retry https://intranet.example/"

  static var options: [Option<RetryCredentialsCommand>] {
    [Option(nil, "session", "NAME", "the session [default]") { $0.session = $1 }]
      + FetchProxy.options(\.proxy) + [Option(nil, "json", "as JSON") { $0.isJSON = true }]
  }

  var daemon = DaemonTarget()
  var url: String?
  private var session: String?
  private var proxy = FetchProxy()
  private var isJSON = false

  mutating func run() throws(Failure) -> ExitCode {
    guard let url else { throw .usage("the URL is missing") }
    try proxy.complete(session: session)
    let client = try daemon.connect()
    let proxies = try proxy.proxies(for: url, session: session, client)
    let reply = try client.askReply(Request.CredentialRetry(session: session, url: url, proxies: proxies))
    let retried = reply.result.retried
    StandardOutput.write(isJSON ? JSONText.of(reply.text) + "\n" : "may be tried again: \(retried)\n")
    return retried > 0 ? .success : .failure
  }
}
