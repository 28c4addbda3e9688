internal import CTransport
internal import WatchwordCore
internal import WatchwordReactor

/// The cookies of a session, which libcurl's cookie engine keeps and applies.
@ReactorActor
final class CurlCookieStore: CookieStore {
  var pool: ConnectionPool?

  func list() -> [Cookie] { (pool?.exportCookies() ?? []).compactMap(NetscapeCookie.parse) }

  func set(_ cookie: Cookie) {
    guard let line = NetscapeCookie.format(cookie) else { return }
    pool?.importCookies([line])
  }

  func remove(domain: String?, name: String?) -> Int {
    guard let pool else { return 0 }
    var kept: [String] = []
    var removed = 0
    for line in pool.exportCookies() {
      let cookie = NetscapeCookie.parse(line)
      let matches =
        (domain.map { $0.lowercased() == cookie?.domain.lowercased() } ?? true)
        && (name == nil || Bytewise(name) == Bytewise(cookie?.name))
      if matches { removed += 1 } else { kept.append(line) }
    }
    if removed > 0 { pool.replaceCookies(kept) }
    return removed
  }
}

extension ConnectionPool {
  /// Lines in Netscape's format.
  func exportCookies() -> [String] {
    guard let easy = cookieHandle else { return [] }
    let list = transport_easy_cookies(easy)
    defer { curl_slist_free_all(list) }
    var lines: [String] = []
    var next = list
    while let node = next {
      if let text = node.pointee.data { lines.append(String(cString: text)) }
      next = node.pointee.next
    }
    return lines
  }

  func importCookies(_ lines: [String]) {
    guard let easy = cookieHandle else { return }
    for line in lines { transport_easy_set_text(easy, CURLOPT_COOKIELIST, line) }
  }

  func replaceCookies(_ lines: [String]) {
    guard let easy = cookieHandle else { return }
    transport_easy_set_text(easy, CURLOPT_COOKIELIST, "ALL")
    importCookies(lines)
  }

  /// For `originOnly`: a cookie for a whole domain is kept for the host that set it, if that is its domain,
  /// and dropped otherwise.
  func keepOriginCookies(of host: String) {
    var lines: [String] = []
    for line in exportCookies() {
      guard var cookie = NetscapeCookie.parse(line), cookie.includesSubdomains else {
        lines.append(line)
        continue
      }
      guard cookie.domain.lowercased() == host else { continue }
      cookie.includesSubdomains = false
      if let own = NetscapeCookie.format(cookie) { lines.append(own) }
    }
    replaceCookies(lines)
  }
}
