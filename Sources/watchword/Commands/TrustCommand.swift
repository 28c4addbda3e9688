internal import WatchwordMessages
internal import WatchwordOptions

/// `watchword trust`: lists a session's decisions about servers' certificates.
struct TrustCommand: ListingCommand {
  static let name = "trust"
  static let summary = "list decisions about servers' certificates"
  static let about = """
    Lists the decisions of a session about certificates and keys: id, origin, what is accepted, persistence,
    accepted reasons and uses. Permanent decisions hold for every session; their ids begin with p. Then it
    lists your certificate authorities, as "watchword trust list-ca" does; --json leaves them out.
    """
  static let example = "watchword trust --session reports"

  var daemon = DaemonTarget()
  var listing = Listing()

  func request(_ session: String?) -> Request.TrustList { Request.TrustList(session: session) }

  static func lines(_ list: Sent.TrustList) -> [String] { list.trust.map { TrustLine.text(of: $0) } }

  static func furtherLines(_ client: WatchwordClient) throws(Failure) -> [String] {
    try client.ask(Request.TrustListRoots()).roots.map { "authority \(RootLine.text(of: $0))" }
  }
}

/// `watchword trust remove`: removes decisions about servers' certificates.
struct RemoveTrustCommand: RemovalCommand {
  static let name = "trust remove"
  static let summary = "remove decisions about servers' certificates"
  static let synopsis = "[options] ID | --origin URL | --all"
  static let about = """
    Removes decisions of a session about certificates: by the id that "watchword trust" shows, for an
    origin, or all. A permanent decision is removed for every session. The connections that rest on it are
    closed. Prints the number of removed decisions; none is a failure.
    """
  static let example = "watchword trust remove --origin https://dev.example:8443/"

  static var options: [Option<RemoveTrustCommand>] {
    [
      Option(nil, "origin", "URL", "all decisions about this URL's origin") {
        (command, url) throws(Failure) in
        command.origin = try URLText.argument(url)
      }
    ] + removalOptions
  }

  static let question = "the id of the decision is missing"
  static let lister = "watchword trust"
  static let hintForUnknown =
    "watchword trust lists them; watchword trust remove-ca removes an authority by its SHA-256"

  var daemon = DaemonTarget()
  var removal = Removal()
  private var origin: String?

  var selection: (option: String, isGiven: Bool)? { ("--origin", origin != nil) }

  var request: Request.TrustRemove {
    Request.TrustRemove(session: removal.session, trust: removal.identifier, origin: origin)
  }
}
