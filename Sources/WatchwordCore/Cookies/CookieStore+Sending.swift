package import WatchwordVocabulary

/// Chooses the cookies of a request.
extension CookieStore {
  /// The value of the `Cookie` field for a request; nil when no cookie matches. Sent cookies count as used.
  package mutating func field(for url: RequestURL, now: Int64) -> [UInt8]? {
    guard !isEmpty else { return nil }
    var field: [UInt8] = []
    var sent: [(domain: String, index: Int)] = []
    for match in matches(url, now).prefix(CookieLimits.perRequest) {
      guard let entry = entries[match.domain]?[match.index] else { continue }
      let added = (field.isEmpty ? 0 : 2) + entry.name.count + 1 + entry.value.count
      guard "Cookie: ".utf8.count + field.count + added <= CookieLimits.fieldBytes else { break }
      if !field.isEmpty { field += "; ".utf8 }
      field += entry.name
      field.append(UInt8(ascii: "="))
      field += entry.value
      sent.append(match)
    }
    noteUse(sent)
    return sent.isEmpty ? nil : field
  }

  /// All unexpired cookies, by domain and then in the order in which they were set; with a URL, those that
  /// match it.
  package func list(for url: RequestURL? = nil, now: Int64) -> [Cookie] {
    if let url {
      return matches(url, now).compactMap { match in
        entries[match.domain].map { Cookie($0[match.index], domain: match.domain) }
      }
    }
    return entries.sorted(on: \.key).flatMap { domain, own in
      own.filter { !$0.isExpired(now) }.sorted(on: \.created).map { Cookie($0, domain: domain) }
    }
  }

  /// In the order of RFC 6265bis §5.8.3: longer paths first, then in the order in which they were set.
  private func matches(_ url: RequestURL, _ now: Int64) -> [(domain: String, index: Int)] {
    let host = url.origin.host
    let isSecure = url.isSecureForCookies
    let domains = CookieDomain.isAddress(host) ? [host[...]] : CookieDomain.parents(of: host)
    var found: [(domain: String, index: Int, path: Int, created: UInt64)] = []
    for domain in domains.map(String.init) {
      guard let own = entries[domain] else { continue }
      let isParent = domain.utf8.count < host.utf8.count
      for (index, entry) in own.enumerated() {
        guard entry.includesSubdomains || !isParent, isSecure || !entry.isSecure, !entry.isExpired(now),
          CookiePath.covers(entry.path, url.path)
        else { continue }
        found.append((domain, index, entry.path.utf8.count, entry.created))
      }
    }
    found.sort { ($1.path, $0.created) < ($0.path, $1.created) }
    return found.map { ($0.domain, $0.index) }
  }
}

extension Cookie {
  fileprivate init(_ entry: CookieStore.StoredCookie, domain: String) {
    self.init(
      name: String(decoding: entry.name, as: UTF8.self), value: String(decoding: entry.value, as: UTF8.self),
      domain: domain, includesSubdomains: entry.includesSubdomains, path: entry.path, expires: entry.expires,
      isSecure: entry.isSecure, isHTTPOnly: entry.isHTTPOnly)
  }
}

extension RequestURL {
  /// Over TLS, or where bytes cannot leave the machine, as in browsers and libcurl.
  var isSecureForCookies: Bool { origin.isSecure || origin.isLoopback }

  /// RFC 6265bis §5.1.4: the path up to its last `/`. The `/` stays, as in libcurl.
  var defaultCookiePath: String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "/" }
    return String(path[...slash])
  }
}
