internal import WatchwordVocabulary

/// A stored cookie of a session (RFC 6265bis §5.7), as callers see it.
package struct Cookie: Sendable, Equatable {
  package var name: String
  package var value: String
  /// Without a leading dot.
  package var domain: String
  package var includesSubdomains: Bool
  package var path: String
  /// Seconds since 1970; nil for a session cookie.
  package var expires: Int64?
  package var isSecure: Bool
  package var isHTTPOnly: Bool

  package init(
    name: String, value: String, domain: String, includesSubdomains: Bool, path: String, expires: Int64?,
    isSecure: Bool, isHTTPOnly: Bool
  ) {
    self.name = name
    self.value = value
    self.domain = domain
    self.includesSubdomains = includesSubdomains
    self.path = path
    self.expires = expires
    self.isSecure = isSecure
    self.isHTTPOnly = isHTTPOnly
  }
}

/// Which hosts a domain covers (RFC 6265bis §5.1.3).
enum CookieDomain {
  /// Whether the host is a name below the domain. Names are in lower case.
  static func covers(_ domain: String, _ host: String) -> Bool {
    let length = domain.utf8.count
    return length > 0 && host.utf8.suffix(length).elementsEqual(domain.utf8)
      && host.utf8.dropLast(length).last == UInt8(ascii: ".") && !isAddress(host)
  }

  /// The host itself and the part after each of its dots.
  static func parents(of host: String) -> [Substring] {
    var parents = [host[...]]
    var rest = host[...]
    while let dot = rest.utf8.firstIndex(of: UInt8(ascii: ".")) {
      rest = rest[rest.utf8.index(after: dot)...]
      if !rest.isEmpty { parents.append(rest) }
    }
    return parents
  }

  /// An IPv4 address in its only spelling, or an IPv6 address.
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

/// A name prefix that guarantees how a cookie was set (RFC 6265bis §4.1.3); browsers ignore its case.
///
/// A server that reads `__Host-sid` trusts that no other host and no cleartext response set it.
package enum CookiePrefix {
  /// Whether a cookie satisfies the prefix of its name.
  ///
  /// - Parameters:
  /// - hasRootPath: whether its path was set to `/`.
  /// - isForHostOnly: whether it is sent to no other host.
  package static func isKept(
    name: some Collection<UInt8>, isSecure: Bool, hasRootPath: Bool, isForHostOnly: Bool
  ) -> Bool {
    if starts(name, with: "__secure-") { return isSecure }
    if starts(name, with: "__host-") { return isSecure && hasRootPath && isForHostOnly }
    return true
  }

  private static func starts(_ name: some Collection<UInt8>, with prefix: StaticString) -> Bool {
    prefix.withUTF8Buffer { prefix in
      ASCIICase.matches(name.prefix(prefix.count), prefix)
    }
  }
}

/// The limits of a session's cookies. A server chooses their number and length.
package enum CookieLimits {
  /// Of one domain, as in browsers (RFC 6265bis §6.1 requires 50).
  package static let perOrigin = 180
  /// Of one session, as RFC 6265bis §6.1 requires.
  package static let perSession = 3000
  /// Names, values, domains and paths of one session's cookies together.
  package static let bytesPerSession = 1_048_576
  /// Taken from one response; libcurl's limit, and more than any site sets.
  package static let perResponse = 50
  /// The value of a `Set-Cookie` field; name and value together may have 4,096 bytes of it. libcurl's limits.
  package static let setCookieBytes = 5000
  static let pairBytes = 4096
  /// A `Cookie` field, its name included: the default limit of servers (Apache). libcurl's limit.
  package static let fieldBytes = 8190
  /// Cookies of one `Cookie` field; libcurl's limit.
  static let perRequest = 150
  /// After an eviction this share of a session's limits is in use, so that not every new cookie causes one.
  static let keptTenths = 9
}
