internal import WatchwordMessages
internal import WatchwordOptions

/// `watchword cookies remove`: removes cookies that a session keeps.
struct RemoveCookiesCommand: RemovalCommand {
  static let name = "cookies remove"
  static let summary = "remove cookies of a session"
  static let synopsis = "[options] NAME | --domain DOMAIN | --all"
  static let about = """
    Removes cookies that a session keeps: by their name, of a domain as "watchword cookies" shows it, or all.
    Prints the number of removed cookies; none is a failure.
    """
  static let example = "watchword cookies remove --domain intranet.example"

  static var options: [Option<RemoveCookiesCommand>] {
    [
      Option(nil, "domain", "DOMAIN", "all cookies of this domain") { $0.domain = $1 }
    ] + removalOptions
  }

  static let question = "the name of the cookie is missing"
  static let lister = "watchword cookies"

  var daemon = DaemonOptions()
  var removal = Removal()
  private var domain: String?

  var selection: (option: String, isGiven: Bool)? { ("--domain", domain != nil) }

  var request: Request.CookieRemove {
    // A list shows cookies for names below a domain with a dot before it.
    let domain = domain.map { $0.hasPrefix(".") ? String($0.dropFirst()) : $0 }
    return Request.CookieRemove(session: removal.session, domain: domain, name: removal.identifier)
  }
}
