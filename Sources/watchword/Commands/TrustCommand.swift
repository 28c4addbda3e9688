internal import WatchwordClient
internal import WatchwordMessages

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

  var daemon = DaemonOptions()
  var listing = Listing()

  func request(_ session: String?) -> Request.TrustList { Request.TrustList(session: session) }

  static func lines(_ list: Sent.TrustList) -> [String] { list.trust.map { TrustLine.text(of: $0) } }

  static func furtherLines(_ client: WatchwordClient) throws(Failure) -> [String] {
    try client.ask(Request.TrustListRoots()).roots.map { "authority \(RootLine.text(of: $0))" }
  }
}
