/// Which cookies go where.
extension CookieStore {
  /// The value of the `Cookie` field for a request; nil when there is none. What is sent counts as used.
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

  /// All that have not expired, by domain and then in the order in which they were set; with a URL, those that match it.
  package func list(for url: RequestURL? = nil, now: Int64) -> [Cookie] {
    if let url {
      return matches(url, now).compactMap { match in
        entries[match.domain].map { Cookie($0[match.index], domain: match.domain) }
      }
    }
    return entries.sorted { $0.key < $1.key }.flatMap { domain, own in
      own.filter { !$0.isExpired(now) }.sorted { $0.created < $1.created }.map { Cookie($0, domain: domain) }
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
    found.sort { $0.path != $1.path ? $0.path > $1.path : $0.created < $1.created }
    return found.map { ($0.domain, $0.index) }
  }
}

extension Cookie {
  fileprivate init(_ entry: CookieStore.Entry, domain: String) {
    self.init(
      name: String(decoding: entry.name, as: UTF8.self), value: String(decoding: entry.value, as: UTF8.self),
      domain: domain, includesSubdomains: entry.includesSubdomains, path: entry.path, expires: entry.expires,
      isSecure: entry.isSecure, isHTTPOnly: entry.isHTTPOnly)
  }
}

/// Which hosts a domain covers (RFC 6265bis §5.1.3).
enum CookieDomain {
  /// Whether the host is a name below the domain. Names are in lower case.
  static func covers(_ domain: String, _ host: String) -> Bool {
    let length = domain.utf8.count
    return length > 0 && host.utf8.count > length && host.utf8.suffix(length).elementsEqual(domain.utf8)
      && host.utf8.dropLast(length).last == UInt8(ascii: ".") && !isAddress(host)
  }

  /// The host itself and what follows each of its dots.
  static func parents(of host: String) -> [Substring] {
    var parents = [host[...]]
    var rest = host[...]
    while let dot = rest.utf8.firstIndex(of: UInt8(ascii: ".")) {
      rest = rest[rest.utf8.index(after: dot)...]
      if !rest.isEmpty { parents.append(rest) }
    }
    return parents
  }

  /// An IPv4 address in its one spelling, or an IPv6 address.
  static func isAddress(_ host: String) -> Bool {
    host.utf8.contains(UInt8(ascii: ":"))
      || host.utf8.allSatisfy { $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) }
  }
}

/// Which paths a cookie's path covers (RFC 6265bis §5.1.4). As in libcurl, `/a/` covers `/a`, too.
enum CookiePath {
  static func covers(_ cookie: String, _ path: String) -> Bool {
    let cookie = withoutEnd(cookie)
    guard path.utf8.starts(with: cookie) else { return false }
    let rest = path.utf8.dropFirst(cookie.count)
    return rest.isEmpty || rest.first == UInt8(ascii: "/")
  }

  static func isSame(_ left: String, _ right: String) -> Bool {
    withoutEnd(left).elementsEqual(withoutEnd(right))
  }

  private static func withoutEnd(_ path: String) -> Substring.UTF8View {
    path.utf8.last == UInt8(ascii: "/") ? path.utf8.dropLast() : path.utf8[...]
  }
}

extension RequestURL {
  /// Over TLS, or where bytes cannot leave the machine, as browsers and libcurl have it.
  var isSecureForCookies: Bool { origin.isSecure || origin.isLoopback }

  /// RFC 6265bis §5.1.4: the path up to its last `/`. As libcurl had it, the `/` stays.
  var defaultCookiePath: String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "/" }
    return String(path[...slash])
  }
}
