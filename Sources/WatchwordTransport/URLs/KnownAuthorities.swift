package import WatchwordCore

/// Parses the URLs of a session, and remembers which origins their authorities name.
///
/// Most URLs of a session lead to few servers. What an authority names depends on its spelling and the scheme only, so
/// libcurl's parser is asked once for each.
package struct KnownAuthorities {
  /// Beyond it the session begins anew.
  private static let capacity = 64
  /// Of one that is remembered: a name has 253 bytes at most.
  private static let maximumBytes = 300

  private var origins: [String: Origin] = [:]

  package init() {}

  package mutating func parse(_ text: String) throws(URLFault) -> RequestURL {
    let plain = try PlainURL(text)
    let base = plain.base
    if let origin = origins[base], let target = plain.plainTarget {
      return RequestURL(origin: origin, path: target.path, query: target.query, userinfo: plain.userinfo)
    }
    let url = try URLParser.takeApart(plain)
    remember(url.origin, as: base)
    return url
  }

  private mutating func remember(_ origin: Origin, as base: String) {
    guard base.utf8.count <= KnownAuthorities.maximumBytes else { return }
    if origins.count >= KnownAuthorities.capacity { origins.removeAll() }
    origins[base] = origin
  }
}
