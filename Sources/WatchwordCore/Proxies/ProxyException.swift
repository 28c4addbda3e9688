internal import Glibc
package import WatchwordVocabulary

/// Origins that are reached without a proxy: an entry of `except`, or of `no_proxy`.
///
/// A name matches itself and its subdomains; `*` matches every host. An address matches itself, and
/// `address/bits` its network (RFC 4632). A name or an address may have a port. An address never matches a
/// name: names are not resolved for this.
package struct ProxyException: Sendable, Equatable {
  private enum Hosts: Sendable, Equatable {
    case every
    case name(HostPattern)
    case network([UInt8], bits: Int)
  }

  /// As it was given.
  package let text: String
  private let hosts: Hosts
  /// Nil: any.
  private let port: UInt16?

  /// Nil when the text is malformed.
  package init?(_ text: String) {
    self.text = text
    if text == "*" {
      hosts = .every
      port = nil
      return
    }
    if let slash = text.firstIndex(of: "/") {
      guard let network = Self.address(text[..<slash]),
        let bits = Self.number(text[text.index(after: slash)...]), bits <= network.count * 8
      else { return nil }
      hosts = .network(network, bits: bits)
      port = nil
      return
    }
    guard let (host, port) = Self.hostAndPort(text) else { return nil }
    self.port = port
    if let address = Self.address(host) {
      hosts = .network(address, bits: address.count * 8)
      return
    }
    guard !text.hasPrefix("["), let name = Self.name(host) else { return nil }
    hosts = .name(HostPattern(name, includesSubdomains: true))
  }

  package func matches(_ origin: Origin) -> Bool {
    guard port == nil || port == origin.port else { return false }
    switch hosts {
    case .every: return true
    // The end of an address is no name's.
    case .name(let pattern): return pattern.matches(origin.host) && Self.address(origin.host[...]) == nil
    case .network(let network, let bits):
      guard let address = Self.address(origin.host[...]), address.count == network.count else { return false }
      return Self.prefix(of: address, bits) == Self.prefix(of: network, bits)
    }
  }

  // MARK: Reading

  /// The port of `a.b:port`, `[::1]:port` and `1.2.3.4:port`; `::1` has none.
  private static func hostAndPort(_ text: String) -> (Substring, UInt16?)? {
    var host = text[...]
    var rest = Substring()
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { return nil }
      host = text[text.index(after: text.startIndex)..<end]
      guard host.contains(":") else { return nil }
      rest = text[text.index(after: end)...]
      guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
    } else if let colon = text.firstIndex(of: ":"), text.lastIndex(of: ":") == colon {
      host = text[..<colon]
      rest = text[colon...]
    }
    guard !rest.isEmpty else { return (host, nil) }
    guard let port = number(rest.dropFirst()).flatMap({ UInt16(exactly: $0) }), port != 0 else { return nil }
    return (host, port)
  }

  /// `.a.example` and `*.a.example` are `a.example`, as in other programs' `no_proxy`.
  private static func name(_ text: Substring) -> String? {
    var name = text
    if name.hasPrefix("*.") {
      name = name.dropFirst(2)
    } else if name.hasPrefix(".") {
      name = name.dropFirst()
    }
    let isSound =
      name.utf8.count <= 254
      && name.utf8.allSatisfy { byte in
        ASCIICase.isLetter(byte) || (0x30...0x39).contains(byte) || "-_.".utf8.contains(byte)
      }
    return isSound && !name.isEmpty && name != "." && !name.hasPrefix(".")
      ? String(name).asciiLowercased : nil
  }

  private static func address(_ text: Substring) -> [UInt8]? {
    guard text.utf8.count <= 45 else { return nil }
    var bytes = [UInt8](repeating: 0, count: 16)
    if text.utf8.contains(UInt8(ascii: ":")) {
      return inet_pton(AF_INET6, String(text), &bytes) == 1 ? bytes : nil
    }
    return inet_pton(AF_INET, String(text), &bytes) == 1 ? Array(bytes.prefix(4)) : nil
  }

  /// Digits only: `Int` alone would accept a sign.
  private static func number(_ text: Substring) -> Int? {
    text.utf8.count <= 5 && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
  }

  /// The first bits; the others are zero.
  private static func prefix(of address: [UInt8], _ bits: Int) -> [UInt8] {
    address.enumerated().map { index, byte in
      let left = min(max(bits - index * 8, 0), 8)
      return left == 0 ? 0 : byte & ~UInt8(truncatingIfNeeded: (1 << (8 - left)) - 1)
    }
  }
}
