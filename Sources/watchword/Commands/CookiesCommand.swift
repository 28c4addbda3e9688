internal import WatchwordMessages
internal import WatchwordOptions
internal import WatchwordPrimitives

/// `watchword cookies`: lists the cookies that a session keeps, without their values, which log in.
struct CookiesCommand: ListingCommand {
  static let name = "cookies"
  static let summary = "list the cookies that a session keeps"
  static let synopsis = "[options] [URL]"
  static let about = """
    Lists the cookies that a session keeps: domain, path, name and expiry. With a URL, those that would be
    sent there. Values are shown with --json only: many log in.
    """
  static let example = "watchword cookies --session reports https://intranet.example/"

  var daemon = DaemonOptions()
  var listing = Listing()
  private var url: String?

  static let operandsAreOctets = true

  mutating func take(operand: String) throws(Failure) {
    guard url == nil else { throw .usage("only one URL is allowed") }
    url = try URLText.argument(operand)
  }

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
