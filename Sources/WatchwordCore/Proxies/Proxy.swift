package import WatchwordVocabulary

/// A proxy as credentials and connections see it: its type, host and port.
///
/// Immutable, and a reference: every step of a fetch keeps it.
package final class Proxy: Sendable, Hashable {
  package let type: ProxyType
  /// Whether it resolves the names of origins; otherwise the daemon does (SOCKS4, SOCKS5).
  package let resolvesNames: Bool
  /// Its root, with the userinfo of its URL: what its protection spaces and preemptive scopes belong to.
  ///
  /// A SOCKS proxy, which has no URL of HTTP, stands under `http`: nothing protects what is sent to it.
  package let url: RequestURL
  /// `http://host:port`, its scheme as curl spells it; without userinfo, the port always explicit.
  package let text: String

  package init(_ type: ProxyType, resolvesNames: Bool = true, url: RequestURL) {
    self.type = type
    self.resolvesNames = resolvesNames
    self.url = url
    let scheme =
      switch type {
      case .http, .https: type.rawValue
      case .socks4: resolvesNames ? "socks4a" : "socks4"
      case .socks5: resolvesNames ? "socks5h" : "socks5"
      }
    text = "\(scheme)://\(url.origin.bracketedHost):\(url.origin.port)"
  }

  package var origin: Origin { url.origin }

  /// Whether a connection to this origin leads through it as a tunnel, over which it sees no request.
  package func isTunnel(to origin: Origin) -> Bool { type.isSOCKS || origin.isSecure }

  /// The same proxy; its userinfo is a credential, which is told apart elsewhere.
  package static func == (left: Proxy, right: Proxy) -> Bool {
    left === right
      || (left.type == right.type && left.resolvesNames == right.resolvesNames && left.origin == right.origin)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(origin) }
}
