/// What a challenge is about, as far as it decides who takes it.
package struct ChallengeSubject: Sendable, Equatable {
  package let method: AuthenticationMethod
  /// For `serverTrust`: default evaluation has found nothing wrong.
  package let isTrustedChain: Bool

  package init(_ method: AuthenticationMethod, isTrustedChain: Bool = false) {
    self.method = method
    self.isTrustedChain = isTrustedChain
  }

  static let trustedChain = ChallengeSubject(.serverTrust, isTrustedChain: true)
}
