internal import WatchwordPrimitives
package import WatchwordVocabulary

/// One challenge of a response that can be answered.
package struct Offer: Sendable, Equatable {
  package let authenticationMethod: AuthenticationMethod
  package let realm: OctetString?
  /// Every raw parameter of the server, for the caller to read.
  package let parameters: [AuthenticationParameter]
  /// The parsed Digest challenge; non-nil exactly when the method is `digest`.
  package let digest: DigestChallenge?
  /// The server's token, in base64; only of `negotiate` and `ntlm`.
  package let token: String?
  /// The form of a login page; non-nil exactly when the method is `htmlForm`.
  package let form: LoginForm?

  package init(
    authenticationMethod: AuthenticationMethod, realm: OctetString?, parameters: [AuthenticationParameter],
    digest: DigestChallenge? = nil, token: String? = nil, form: LoginForm? = nil
  ) {
    self.authenticationMethod = authenticationMethod
    self.realm = realm
    self.parameters = parameters
    self.digest = digest
    self.token = token
    self.form = form
  }

  /// What a SOCKS5 proxy asks for when it wants a user and a password (RFC 1929): it has no realm and no parameters.
  static let passwordOfSOCKS = Offer(authenticationMethod: .basic, realm: nil, parameters: [])

  /// `charset=UTF-8`, the only charset that RFC 7616 and RFC 7617 define.
  package var isUTF8: Bool {
    parameters.contains { $0.name == "charset" && $0.value.text.asciiLowercased == "utf-8" }
  }

  package func protectionSpace(of origin: Origin, proxyType: ProxyType? = nil) -> ProtectionSpace {
    ProtectionSpace(
      origin: origin, realm: realm, authenticationMethod: authenticationMethod, proxyType: proxyType)
  }
}
