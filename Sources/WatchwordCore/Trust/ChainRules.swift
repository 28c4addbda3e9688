package import WatchwordVocabulary

/// The requirements of a session and of the administrator on a chain, in addition to default evaluation.
package struct ChainRules: Sendable {
  /// All faults of a chain, and whether a report-only pin failed.
  package struct Findings: Sendable, Equatable {
    package var faults: [TrustFault]
    /// A pin that is report-only did not match.
    package var hasReportedPin = false
  }

  package let pins: PinSet
  package let policy: TrustPolicy

  package init(pins: PinSet, policy: TrustPolicy) {
    self.pins = pins
    self.policy = policy
  }

  package func findings(
    on presented: PresentedChain, with faults: [TrustFault], from host: String
  ) -> Findings {
    var findings = Findings(faults: faults)
    switch pins.verdict(on: presented, with: faults, from: host) {
    case .fine: break
    case .reported: findings.hasReportedPin = true
    case .mismatch: findings.faults.append(TrustFault(reason: .pinMismatch, depth: 0))
    }
    if policy.ruleBroken(by: presented, with: faults, from: host) != nil {
      findings.faults.append(TrustFault(reason: .policy, depth: 0))
    }
    return findings
  }
}
