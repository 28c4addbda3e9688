/// A server as credentials see it: scheme, host and port, all three compared exactly.
///
/// RFC 6454 §4. Credentials that follow a redirect to another port or scheme were curl's CVE-2018-1000007,
/// CVE-2022-27774 and CVE-2022-27776. `host` is lowercased, without brackets, IDNA-encoded, and `port` explicit on the way in.
package struct Origin: Sendable, Hashable, CustomStringConvertible {
  package let scheme: WebScheme
  package let host: String
  package let port: UInt16

  package init(scheme: WebScheme, host: String, port: UInt16) {
    self.scheme = scheme
    self.host = host
    self.port = port
  }

  /// The host and the port are enough: few have both in common.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(host)
    hasher.combine(port)
  }

  /// `https://host:port`; the port always explicit.
  package var description: String { "\(scheme.rawValue)://\(bracketedHost):\(port)" }

  /// The host as it stands in a URL or a `Host` field.
  package var bracketedHost: String { host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host }

  /// Whether bytes to this origin cannot leave the machine: a loopback address, or `localhost` (RFC 6761 §6.3).
  package var isLoopback: Bool {
    if host.utf8.starts(with: "127.".utf8) { return hasFourNumbers }
    return host == "localhost" || host.hasSuffix(".localhost") || host == "::1"
  }

  /// Whether the host is an IPv4 address. Not by splitting it: this is asked for each credential that is sent.
  private var hasFourNumbers: Bool {
    var dots = 0
    var number: Int?
    for byte in host.utf8 {
      switch byte {
      case UInt8(ascii: "."):
        guard number != nil else { return false }
        dots += 1
        number = nil
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        let next = (number ?? 0) * 10 + Int(byte - UInt8(ascii: "0"))
        guard next <= 255 else { return false }
        number = next
      default: return false
      }
    }
    return dots == 3 && number != nil
  }

  /// Whether TLS protects a credential on its way from the daemon to this hop.
  package var isSecure: Bool { scheme == .https }
}
