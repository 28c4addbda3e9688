internal import WatchwordMessages
internal import WatchwordOptions
internal import WatchwordVocabulary

/// `watchword cookies`: lists the cookies that a session keeps, without their values, which log in.
struct CookiesCommand: ListingCommand, URLCommand {
  static let name = "cookies"
  static let summary = "list the cookies that a session keeps"
  static let synopsis = "[options] [URL]"
  static let about = """
    Lists the cookies that a session keeps: domain, path, name and expiry. With a URL, those that would be
    sent there. Values are shown with --json only: many log in.
    """
  static let example = "watchword cookies --session reports https://intranet.example/"

  var daemon = DaemonTarget()
  var listing = Listing()
  var url: String?

  func request(_ session: String?) -> Request.CookieList { Request.CookieList(session: session, url: url) }

  static func lines(_ list: Sent.CookieList) -> [String] {
    list.cookies.map { cookie in
      var parts = [DisplayText.escaped(cookie.domain), DisplayText.escaped(cookie.path)]
      parts.append(DisplayText.escaped(cookie.name))
      parts.append(cookie.expires.map { "until \($0)" } ?? "until the session ends")
      if cookie.secure { parts.append("secure") }
      if cookie.httpOnly { parts.append("httpOnly") }
      return parts.joined(separator: "  ")
    }
  }
}

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

  var daemon = DaemonTarget()
  var removal = Removal()
  private var domain: String?

  var selection: (option: String, isGiven: Bool)? { ("--domain", domain != nil) }

  var request: Request.CookieRemove {
    // A list shows cookies for names below a domain with a dot before it.
    let domain = domain.map { $0.hasPrefix(".") ? String($0.dropFirst()) : $0 }
    return Request.CookieRemove(session: removal.session, domain: domain, name: removal.identifier)
  }
}
