/// Which hosts a domain covers (RFC 6265bis §5.1.3).
enum CookieDomain {
  /// Whether the host is a name below the domain. Names are in lower case.
  static func covers(_ domain: String, _ host: String) -> Bool {
    let length = domain.utf8.count
    return length > 0 && host.utf8.count > length && host.utf8.suffix(length).elementsEqual(domain.utf8)
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
