/// What may stand for a host where no URL is around it.
package enum HostRules {
  /// The host as ``Origin`` has it: in lower case and without brackets; nil for what no URL's host could be.
  ///
  /// Letters beyond ASCII are refused, not lowered: the Kelvin sign would become a `k`, and another host.
  package static func normalized(_ text: String) -> String? {
    guard !text.isEmpty, text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    let isBracketed = text.hasPrefix("[") && text.hasSuffix("]")
    let host = (isBracketed ? String(text.dropFirst().dropLast()) : text).lowercased()
    if isAddress(host) { return host }
    return !isBracketed && host.utf8.allSatisfy(isNameByte) ? host : nil
  }

  /// Whether it looks like an IPv6 address, which has two colons at least; `host:80` is none.
  private static func isAddress(_ host: String) -> Bool {
    host.utf8.count { $0 == UInt8(ascii: ":") } >= 2
      && host.utf8.allSatisfy { "0123456789abcdef:.".utf8.contains($0) }
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
