package import WatchwordSecret
package import WatchwordVocabulary

/// The way of one exchange through a proxy.
package struct ProxyHop: Sendable, Equatable {
  package let proxy: Proxy
  /// Whether the proxy sees only a connection to the origin, and not the request.
  package let isTunnel: Bool
  /// What the proxy is sent, as far as it is known before there is a connection. Part of the connection partition, and
  /// what SOCKS sends.
  package var credential: Credential.Kind?
  /// The whole value of `Proxy-Authorization`.
  package var authorization: Secret?
  /// Whether the delegate is asked for that value instead, when a tunnel is opened or the request is written.
  package var isAuthorizedLate = false

  /// How the exchange gets its tunnel.
  package enum Tunnel: Sendable {
    /// The transport opens one, or uses one that it has opened.
    case implicit
    /// The exchange itself is the request for one, on the one connection of its partition.
    case requested
    /// There is one on that connection.
    case open
  }
  package var tunnel = Tunnel.implicit

  package init(_ proxy: Proxy, to origin: Origin) {
    self.proxy = proxy
    isTunnel = proxy.isTunnel(to: origin)
  }

  /// Whether it is a SOCKS proxy that is sent a credential in its handshake.
  var isLogin: Bool { proxy.type.isSOCKS && credential != nil }

  /// The proxy of an exchange of the daemon's own, which raises no challenge: the proxy is sent the credential of its
  /// URL.
  package init(ofDaemon proxy: Proxy, to origin: Origin) {
    self.init(proxy, to: origin)
    credential = identification
    guard let userinfo = proxy.url.userinfo, let password = userinfo.password else { return }
    credential = .password(user: userinfo.user, password: password)
    guard !proxy.type.isSOCKS else { return }
    authorization = try? BasicAuthorization.value(user: userinfo.user, password: password)
  }

  /// A SOCKS4 proxy asks for nothing and takes no password, only the name of a user: that of its URL (methods.md
  /// 15.7).
  var identification: Credential.Kind? {
    guard proxy.type == .socks4, let userinfo = proxy.url.userinfo else { return nil }
    return .password(user: userinfo.user, password: Secret([]))
  }
}
