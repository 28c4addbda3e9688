package import WatchwordVocabulary

/// A decision to accept a chain for an origin, with the faults that it excuses.
///
/// It covers exactly the certificates, or the key, and the faults that were shown: excusing an unknown issuer does
/// not excuse a later expiry (challenges.md 10.4).
package struct TrustDecision: Sendable, Equatable {
  /// What must be the same for the decision to apply.
  package enum Subject: Sendable, Hashable {
    /// The whole chain as it was presented.
    case certificate(Fingerprint)
    /// The key of the server's certificate, which may be renewed.
    case publicKey(Fingerprint)
  }

  package let origin: Origin
  package let subject: Subject
  package let excused: Set<TrustFault>

  package init(origin: Origin, subject: Subject, excused: Set<TrustFault>) {
    self.origin = origin
    self.subject = subject
    self.excused = excused
  }

  /// - Parameter scope: the part of the chain that is accepted; nil, for default handling, accepts it as it is.
  package init(_ trust: ServerTrust, for origin: Origin, scope: TrustScope = .certificate) {
    let subject: Subject =
      switch scope {
      case .certificate: .certificate(trust.presented.chain)
      case .publicKey: .publicKey(trust.presented.publicKey)
      }
    self.init(origin: origin, subject: subject, excused: Set(trust.faults))
  }

  /// Whether a chain that the other decision accepts is refused under this one, which replaces it.
  func excusesLess(than other: TrustDecision) -> Bool { !excused.isSuperset(of: other.excused) }

  package func covers(_ presented: PresentedChain, from origin: Origin, with faults: [TrustFault]) -> Bool {
    guard origin == self.origin, excused.isSuperset(of: faults) else { return false }
    return switch subject {
    case .certificate(let chain): chain == presented.chain
    case .publicKey(let key): key == presented.publicKey
    }
  }
}
