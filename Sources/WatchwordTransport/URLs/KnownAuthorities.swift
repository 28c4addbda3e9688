internal import WatchwordCore
package import WatchwordVocabulary

/// Parses the URLs of a session, and remembers what their authorities name, and the last URL as a whole.
///
/// Most URLs of a session lead to few servers. What an authority names depends on its spelling and the scheme
/// only, so libcurl's parser is asked once for each. A program that polls fetches the same URL again and
/// again.
package struct KnownAuthorities {
  /// How many are remembered; one more, and all are forgotten.
  private static let capacity = 32
  /// The longest that is remembered; a host name has at most 253 bytes.
  private static let maximumBytes = 300

  /// A URL of each, by the bytes of its scheme and authority: what Unicode holds equal may be another host.
  private var urls: [Bytewise<String>: RequestURL] = [:]
  /// The last text, and its URL.
  private var last: (text: String, url: RequestURL)?

  package init() {}

  package mutating func parse(_ text: String) throws(URLFault) -> RequestURL {
    if let last, last.text.hasBytes(of: text) { return last.url }
    let url = try read(text)
    last = url.mayBeRemembered && text.utf8.count <= RequestURL.maximumRememberedBytes ? (text, url) : nil
    return url
  }

  private mutating func read(_ text: String) throws(URLFault) -> RequestURL {
    let plain = try PlainURL(text)
    let base = Bytewise(plain.base)
    if let known = urls[base], let target = plain.plainTarget {
      return known.sibling(path: target.path, query: target.query, userinfo: plain.userinfo)
    }
    let url = try URLParser.takeApart(plain)
    remember(url, as: base)
    return url
  }

  private mutating func remember(_ url: RequestURL, as base: Bytewise<String>) {
    guard base.wrappedValue.utf8.count <= KnownAuthorities.maximumBytes else { return }
    if urls.count >= KnownAuthorities.capacity { urls.removeAll() }
    urls[base] = url.sibling(path: "/", query: nil)
  }
}

extension RequestURL {
  /// Most URLs are shorter; what is kept of longer ones would be more than their task's.
  static let maximumRememberedBytes = 1024

  /// Whether it may be kept when its task has ended: not with a password, and no more than the callers'
  /// budgets notice.
  var mayBeRemembered: Bool { userinfo == nil && text.utf8.count <= Self.maximumRememberedBytes }
}
