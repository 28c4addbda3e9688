/// One `name=value` of a challenge; the name in lower case, the value unquoted.
package struct AuthenticationParameter: Sendable, Hashable {
  package let name: String
  @Bytewise package var value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    _value = Bytewise(value)
  }
}

/// One challenge of a response that can be answered.
package struct Offer: Sendable, Equatable {
  package let authenticationMethod: AuthenticationMethod
  package let realm: String?
  /// Every raw parameter the server sent, for the caller to see.
  package let parameters: [AuthenticationParameter]
  /// The parsed Digest challenge; not nil exactly when the method is `digest`.
  package let digest: DigestChallenge?

  package init(
    authenticationMethod: AuthenticationMethod, realm: String?, parameters: [AuthenticationParameter],
    digest: DigestChallenge? = nil
  ) {
    self.authenticationMethod = authenticationMethod
    self.realm = realm
    self.parameters = parameters
    self.digest = digest
  }

  package func protectionSpace(of origin: Origin, isProxy: Bool = false) -> ProtectionSpace {
    ProtectionSpace(
      origin: origin, realm: realm, authenticationMethod: authenticationMethod, isProxy: isProxy)
  }
}
