package import WatchwordVocabulary

/// Keys of which a host's chain must contain one (RFC 7469 §2.6); several, so that they can be rotated.
package struct PinSet: Sendable, Equatable {
  package struct Rule: Sendable, Equatable {
    package let host: HostPattern
    package let publicKeys: [Fingerprint]
    /// A chain without one of the keys is reported and not refused.
    package let isReportOnly: Bool
    /// Whether a reply may accept a chain without one of the keys.
    package let isExcusable: Bool

    package init(
      host: HostPattern, publicKeys: [Fingerprint], isReportOnly: Bool, isExcusable: Bool
    ) {
      self.host = host
      self.publicKeys = publicKeys
      self.isReportOnly = isReportOnly
      self.isExcusable = isExcusable
    }

    /// A proxy is meant by its name only: `*` stands for origins.
    fileprivate func concerns(_ host: String, at hop: Hop) -> Bool {
      self.host.matches(host) && (hop == .origin || self.host != .everyHost)
    }

    /// What a chain without one of the keys means.
    fileprivate var verdict: Verdict {
      if isReportOnly { .reported } else { isExcusable ? .mismatch : .refused }
    }
  }

  /// What a chain is without the keys of a rule.
  package enum Verdict: Int, Sendable {
    case fine
    case reported
    case mismatch
    /// A mismatch that no reply can accept.
    case refused
  }

  /// Of all rules for a host.
  package struct Findings: Sendable, Equatable {
    /// The strictest of those that count.
    package fileprivate(set) var verdict = Verdict.fine
    /// Whether a report-only rule is broken, too.
    package fileprivate(set) var isReported = false
  }

  package var rules: [Rule]

  package init(_ rules: [Rule] = []) { self.rules = rules }

  /// Every rule for the host must be satisfied.
  package func findings(
    on presented: PresentedChain, with faults: [TrustFault], from host: String, at hop: Hop
  ) -> Findings {
    var findings = Findings()
    for rule in rules where rule.concerns(host, at: hop) {
      guard !PinSet.holds(presented, with: faults, oneOf: rule.publicKeys) else { continue }
      if rule.isReportOnly { findings.isReported = true }
      if rule.verdict.rawValue > findings.verdict.rawValue { findings.verdict = rule.verdict }
    }
    return findings
  }

  /// The hosts of the rules for an origin, as they were given; none over http.
  package func hosts(pinning origin: Origin) -> [String] {
    origin.isSecure ? rules.filter { $0.concerns(origin.host, at: .origin) }.map(\.host.text) : []
  }

  /// The server's own key always counts. Keys of its issuers count only if default evaluation has followed
  /// the signatures to an anchor: otherwise an attacker could add a certificate with a pinned key to a chain.
  static func holds(
    _ presented: PresentedChain, with faults: [TrustFault], oneOf keys: [Fingerprint]
  ) -> Bool {
    if keys.contains(presented.publicKey) { return true }
    guard faults.allSatisfy(\.reason.leavesSignaturesSound) else { return false }
    return presented.verifiedPublicKeys.contains(where: keys.contains)
  }
}

extension TrustReason {
  /// Whether a chain with this fault still leads to an anchor by valid signatures.
  fileprivate var leavesSignaturesSound: Bool {
    switch self {
    case .expired, .notYetValid, .hostMismatch, .revocationUnknown, .pinMismatch: true
    case .unknownIssuer, .selfSigned, .revoked, .weakSignature, .weakKey, .invalidPurpose, .pathLength,
      .nameConstraint, .malformed, .tooComplex, .policy, .other:
      false
    }
  }
}
