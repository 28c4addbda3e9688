package import WatchwordVocabulary

/// The properties of a challenge that determine which delegates take it.
package struct ChallengeSubject: Sendable, Equatable {
  package let method: AuthenticationMethod
  /// For `serverTrust`: default evaluation found no fault.
  package let isTrustedChain: Bool

  package init(_ method: AuthenticationMethod, isTrustedChain: Bool = false) {
    self.method = method
    self.isTrustedChain = isTrustedChain
  }

  static let trustedChain = ChallengeSubject(.serverTrust, isTrustedChain: true)
}
