/// That a chain is accepted for an origin, and what it is excused for.
///
/// It covers the very certificates, or the very key, and the faults that were shown: whoever excused an unknown
/// issuer has not excused an expiry later (challenges.md 10.4).
package struct TrustDecision: Sendable, Equatable {
  /// What has to be the same again.
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

  /// - Parameter scope: what of the chain is accepted; nil, for default handling, accepts it as it is.
  package init(_ trust: ServerTrust, for origin: Origin, scope: TrustScope = .certificate) {
    let subject: Subject =
      switch scope {
      case .certificate: .certificate(trust.presented.chain)
      case .publicKey: .publicKey(trust.presented.publicKey)
      }
    self.init(origin: origin, subject: subject, excused: Set(trust.faults))
  }

  /// Whether some chain that the other one lets through is refused under this one, which takes its place.
  func excusesLess(than other: TrustDecision) -> Bool { !excused.isSuperset(of: other.excused) }

  package func covers(_ presented: PresentedChain, from origin: Origin, with faults: [TrustFault]) -> Bool {
    guard origin == self.origin, excused.isSuperset(of: faults) else { return false }
    return switch subject {
    case .certificate(let chain): chain == presented.chain
    case .publicKey(let key): key == presented.publicKey
    }
  }
}
