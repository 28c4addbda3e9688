package import WatchwordVocabulary

/// Which proxy leads to which origin: a session's or a task's `proxies`, or the daemon's environment.
package struct ProxyRules: Sendable, Equatable {
  /// One proxy, and the setting that names it.
  package struct Setting: Sendable, Equatable {
    /// `http`, `https` and `all`, or the name of a variable.
    package let name: String
    /// Nil: the value is no proxy's URL. What it was meant for is not sent past it.
    package let proxy: Proxy?

    package init(name: String, proxy: Proxy?) {
      self.name = name
      self.proxy = proxy
    }
  }

  package let source: Source
  package var http: Setting?
  package var https: Setting?
  /// For a scheme without an entry of its own.
  package var all: Setting?
  /// The origins that are reached without a proxy.
  package var exceptions: [ProxyException] = []

  package init(_ source: Source) { self.source = source }

  package var isEmpty: Bool { http == nil && https == nil && all == nil }

  /// How to reach the origin; nil: no setting concerns it.
  package func choice(for origin: Origin) -> ProxyChoice? {
    let own =
      switch origin.scheme {
      case .http: http
      case .https: https
      }
    guard let entry = own ?? all else { return nil }
    let exception = exceptions.first { $0.matches(origin) }
    return ProxyChoice(source: source, entry: entry, exception: exception?.text)
  }
}

/// The proxy that leads to an origin, and why; what `explain` reports.
package struct ProxyChoice: Sendable, Equatable {
  package let source: ProxyRules.Source
  package let entry: ProxyRules.Setting
  /// The exception that applies: the origin is reached without the proxy.
  package let exception: String?

  /// Nil when there is an exception.
  package var proxy: Proxy? { exception == nil ? entry.proxy : nil }
  /// Whether the setting that counts is no proxy's URL.
  package var isUnusable: Bool { exception == nil && entry.proxy == nil }
}

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

/// The way of one exchange through a proxy.
package struct ProxyHop: Sendable, Equatable {
  package let proxy: Proxy
  /// Whether the proxy sees only a connection to the origin, and not the request.
  package let isTunnel: Bool
  /// What the proxy is sent, as far as it is known before there is a connection. Part of the connection
  /// partition, and what SOCKS sends.
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

  /// The proxy of an exchange of the daemon's own, which raises no challenge: the proxy is sent the
  /// credential of its URL.
  package init(ofDaemon proxy: Proxy, to origin: Origin) {
    self.init(proxy, to: origin)
    credential = identification
    guard let userinfo = proxy.url.userinfo, let password = userinfo.password else { return }
    credential = .password(user: userinfo.user, password: password)
    guard !proxy.type.isSOCKS else { return }
    authorization = try? BasicAuthorization.value(user: userinfo.user, password: password)
  }

  /// A SOCKS4 proxy asks for nothing and takes no password, only the name of a user: that of its URL
  /// (methods.md 15.7).
  var identification: Credential.Kind? {
    guard proxy.type == .socks4, let userinfo = proxy.url.userinfo else { return nil }
    return .password(user: userinfo.user, password: Secret([]))
  }
}
