internal import CTransport
internal import WatchwordReactor

/// libcurl's cookies of one session, which all its connection pools apply and fill.
///
/// Nothing else is shared between pools: TLS sessions stay with the handle that made them, and so within the lane
/// whose decisions they rest on.
@ReactorActor
final class CookieShare {
  let share: UnsafeMutableRawPointer
  /// Has the share, and is never run: for reading and writing cookies.
  private let easy: UnsafeMutableRawPointer

  /// Nil when memory is short.
  init?() {
    guard let share = transport_cookie_share_make() else { return nil }
    guard let easy = curl_easy_init() else {
      curl_share_cleanup(share)
      return nil
    }
    transport_easy_set_pointer(easy, CURLOPT_SHARE, share)
    self.share = share
    self.easy = easy
  }

  /// Every handle with the share is gone: each pool keeps it until it is closed.
  isolated deinit {
    curl_easy_cleanup(easy)
    curl_share_cleanup(share)
  }

  /// Lines in Netscape's format.
  var lines: [String] {
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

  func add(_ lines: [String]) {
    for line in lines { transport_easy_set_text(easy, CURLOPT_COOKIELIST, line) }
  }

  func replace(by lines: [String]) {
    transport_easy_set_text(easy, CURLOPT_COOKIELIST, "ALL")
    add(lines)
  }

  /// For `originOnly`: a cookie for a whole domain is kept for the host that set it, if that is its domain,
  /// and dropped otherwise.
  func keepOriginCookies(of host: String) {
    var kept: [String] = []
    for line in lines {
      guard var cookie = NetscapeCookie.parse(line), cookie.includesSubdomains else {
        kept.append(line)
        continue
      }
      guard cookie.domain.lowercased() == host else { continue }
      cookie.includesSubdomains = false
      if let own = NetscapeCookie.format(cookie) { kept.append(own) }
    }
    replace(by: kept)
  }
}
