/// The protocol that a proxy speaks; `NSURLProtectionSpace` calls it `proxyType`.
package enum ProxyType: String, Sendable, Hashable, CaseIterable {
  case http
  /// HTTP over TLS.
  case https
  case socks4
  case socks5

  package var isSOCKS: Bool {
    switch self {
    case .http, .https: false
    case .socks4, .socks5: true
    }
  }
}
