/// The part of an origin or proxy that one credential opens.
///
/// RFC 9110 §11.5 names it by root URI and realm. The authentication method and whether a proxy asked
/// are added, so that a password saved for an origin is never offered to a proxy on the same host, and
/// one accepted over Digest is never replayed over Basic. Equality is exact: `host` is lowercased and
/// `port` explicit on the way in; `realm` stays as the server spelled it, octet for octet.
package struct ProtectionSpace: Sendable, Hashable {
  private let parts: Parts

  package var origin: Origin { parts.origin }
  package var realm: OctetString? { parts.realm }
  package var authenticationMethod: AuthenticationMethod { parts.authenticationMethod }
  /// Of the proxy that asks; nil: the origin does.
  package var proxyType: ProxyType? { parts.proxyType }
  /// Whether it stands for every realm of the hop (storage.md 9.3.3): where a credential is kept until a
  /// server accepts it.
  ///
  /// Never the space of a challenge. `realm` is nil then, which alone means a challenge without realm.
  package var isOfAnyRealm: Bool { parts.isOfAnyRealm }

  package init(
    origin: Origin, realm: OctetString?, authenticationMethod: AuthenticationMethod,
    proxyType: ProxyType? = nil
  ) {
    parts = Parts(origin, authenticationMethod, proxyType, realm: realm)
  }

  package init(
    anyRealmOf origin: Origin, authenticationMethod: AuthenticationMethod, proxyType: ProxyType? = nil
  ) {
    parts = Parts(origin, authenticationMethod, proxyType, isOfAnyRealm: true)
  }

  /// The question whether to trust a server's certificates (challenges.md 2.9).
  package init(origin: Origin, serverTrust: ServerTrust, proxyType: ProxyType? = nil) {
    parts = Parts(origin, .serverTrust, proxyType, question: .serverTrust(serverTrust))
  }

  /// The question which certificate to present to a server that requests one.
  package init(origin: Origin, certificateRequest: CertificateRequest, proxyType: ProxyType? = nil) {
    parts = Parts(origin, .clientCertificate, proxyType, question: .clientCertificate(certificateRequest))
  }

  /// What the lock of the agent protects: every task of the account meets the same (challenges.md 12.2).
  ///
  /// - Parameter origin: of the task that meets it.
  package static func agentUnlock(before origin: Origin) -> ProtectionSpace {
    ProtectionSpace(origin: origin, realm: nil, authenticationMethod: .agentUnlock)
  }

  /// What a key in a header field of its own opens (storage.md 9.4.9): keys of several fields stand side by
  /// side.
  ///
  /// - Parameter field: its name, which has no case.
  package init(keyOf origin: Origin, field: String, proxyType: ProxyType? = nil) {
    self.init(
      origin: origin, realm: OctetString(field.asciiLowercased), authenticationMethod: .key,
      proxyType: proxyType)
  }

  /// The header field of a key, in lower case, which it has in place of a realm; nil for every other method,
  /// and for the keys of all fields.
  package var field: String? { authenticationMethod == .key ? realm?.text : nil }

  package var hop: Hop { proxyType == nil ? .origin : .proxy }
  package var isProxy: Bool { proxyType != nil }

  /// `socks4` and `socks5` for such a proxy, else the scheme; the wire's `protocol`.
  package var protocolName: String {
    guard let proxyType, proxyType.isSOCKS else { return origin.scheme.rawValue }
    return proxyType.rawValue
  }

  /// The server that asks, as ``Origin/description``.
  package var serverText: String { "\(protocolName)://\(origin.bracketedHost):\(origin.port)" }

  /// The space that stands for every realm beside it.
  package var ofAnyRealm: ProtectionSpace {
    ProtectionSpace(anyRealmOf: origin, authenticationMethod: authenticationMethod, proxyType: proxyType)
  }

  /// The same space with another spelling of its origin.
  package func moved(to origin: Origin) -> ProtectionSpace {
    isOfAnyRealm
      ? ProtectionSpace(anyRealmOf: origin, authenticationMethod: authenticationMethod, proxyType: proxyType)
      : ProtectionSpace(
        origin: origin, realm: realm, authenticationMethod: authenticationMethod, proxyType: proxyType)
  }

  /// The server's certificates, for the method `serverTrust`.
  package var serverTrust: ServerTrust? {
    if case .serverTrust(let trust) = parts.question { trust } else { nil }
  }

  /// The server's request, for the method `clientCertificate`.
  package var certificateRequest: CertificateRequest? {
    if case .clientCertificate(let request) = parts.question { request } else { nil }
  }

  /// The one object of a space that was handed on is compared first.
  package static func == (left: ProtectionSpace, right: ProtectionSpace) -> Bool {
    left.parts === right.parts || left.parts.hasContents(of: right.parts)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(parts.hash)
  }
}

/// What a space consists of. On the heap, with its hash: every fetch looks spaces up and copies them.
private final class Parts: Sendable {
  let origin: Origin
  let realm: OctetString?
  let authenticationMethod: AuthenticationMethod
  let proxyType: ProxyType?
  let isOfAnyRealm: Bool
  let question: HandshakeQuestion?
  let hash: Int

  init(
    _ origin: Origin, _ authenticationMethod: AuthenticationMethod, _ proxyType: ProxyType?,
    realm: OctetString? = nil, isOfAnyRealm: Bool = false, question: HandshakeQuestion? = nil
  ) {
    self.origin = origin
    self.realm = realm
    self.authenticationMethod = authenticationMethod
    self.proxyType = proxyType
    self.isOfAnyRealm = isOfAnyRealm
    self.question = question
    // The realm distinguishes spaces of one origin well enough.
    var hasher = Hasher()
    hasher.combine(origin)
    hasher.combine(realm)
    hash = hasher.finalize()
  }

  func hasContents(of other: Parts) -> Bool {
    hash == other.hash && origin == other.origin && realm == other.realm
      && authenticationMethod == other.authenticationMethod && proxyType == other.proxyType
      && isOfAnyRealm == other.isOfAnyRealm && question == other.question
  }
}

/// The subject of a handshake question.
private enum HandshakeQuestion: Sendable, Equatable {
  case serverTrust(ServerTrust)
  case clientCertificate(CertificateRequest)
}

extension AuthenticationMethod {
  /// Whether its question arises during a TLS handshake, which then stops and starts again.
  package var isOfHandshake: Bool {
    switch self {
    case .serverTrust, .clientCertificate: true
    case .basic, .digest, .bearer, .negotiate, .ntlm, .htmlForm, .agentUnlock, .key: false
    }
  }

  /// Whether it authenticates a connection, in one or more exchanges over it (RFC 4559).
  package var isConnectionBound: Bool {
    switch self {
    case .negotiate, .ntlm: true
    case .basic, .digest, .bearer, .htmlForm, .serverTrust, .clientCertificate, .agentUnlock, .key: false
    }
  }

  /// Whether the challenge goes to the session's delegates first (challenges.md 1.3).
  package var isSessionWide: Bool {
    switch self {
    case .serverTrust, .clientCertificate, .negotiate, .ntlm: true
    case .basic, .digest, .bearer, .htmlForm, .agentUnlock, .key: false
    }
  }
}

extension ProxyType {
  package var isSOCKS: Bool {
    switch self {
    case .http, .https: false
    case .socks4, .socks5: true
    }
  }
}
