internal import Glibc
internal import WatchwordCore
internal import WatchwordVocabulary

/// The syntax of a host outside a URL.
package enum HostRules {
  /// The host in the form of ``Origin``: in lower case and without brackets; nil if no URL could have this
  /// host.
  ///
  /// Letters beyond ASCII are refused, not lowercased: the Kelvin sign would become a `k`, and another host.
  package static func normalized(_ text: String) -> String? {
    guard !text.isEmpty, text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    let isBracketed = text.hasPrefix("[") && text.hasSuffix("]")
    let host = (isBracketed ? String(text.dropFirst().dropLast()) : text).asciiLowercased
    if host.contains(":") { return canonicalAddress(host) }
    return !isBracketed && host.utf8.allSatisfy(isNameByte) ? host : nil
  }

  /// The only spelling of an IPv6 address: a rule for `0:0::1` is one for `::1`. Nil if it is no address.
  private static func canonicalAddress(_ host: String) -> String? {
    var address = in6_addr()
    guard inet_pton(AF_INET6, host, &address) == 1 else { return nil }
    var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard inet_ntop(AF_INET6, &address, &buffer, socklen_t(buffer.count)) != nil else { return nil }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Whether a URL could have this normalized name as its host: a rule for any other would never apply.
  static func isName(_ host: String) -> Bool {
    let labels = (host.hasSuffix(".") ? host.dropLast() : host[...])
      .split(separator: ".", omittingEmptySubsequences: false)
    let isSound = labels.allSatisfy { (1...63).contains($0.utf8.count) }
    return isSound && !host.contains(":")
      && !(labels.last?.utf8.allSatisfy { (0x30...0x39).contains($0) } ?? true)
  }

  /// Whether it is a normalized address, in the form of a URL's host.
  static func isAddress(_ host: String) -> Bool {
    var address = in_addr()
    return host.contains(":") || inet_pton(AF_INET, host, &address) == 1
  }

  /// Letters, digits, hyphen, dot, and the underscore that some intranets use.
  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}

/// Rules for a caller's header fields, beyond their syntax.
package enum HeaderRules {
  /// Fields that frame the message or belong to the hop: only the daemon sets them (RFC 9112, RFC 9110
  /// §7.6.1).
  private static let reserved: Set<String> = [
    "connection", "content-length", "expect", "http2-settings", "keep-alive", "proxy-connection", "te",
    "trailer", "transfer-encoding", "upgrade",
  ]

  /// Bytes of a value: a Kerberos ticket with many groups is the longest in use.
  static let maximumValueBytes = 65_536

  package static func isReserved(_ name: String) -> Bool { reserved.contains(name.asciiLowercased) }

  package static func isValue(_ text: String) -> Bool {
    text.utf8.count <= maximumValueBytes && FieldSyntax.isValue(text)
  }
}
