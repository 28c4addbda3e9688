package import WatchwordVocabulary

/// The administrator's rules for TLS, modelled on App Transport Security (`NSAppTransportSecurity`).
///
/// Callers can be stricter but not looser. For each setting the most specific domain that sets it decides;
/// without one, the defaults apply.
///
/// A reference, because every event of a session takes it along.
package final class TrustPolicy: Sendable, Equatable {
  /// The settings of a rule; nil where it sets none.
  package struct Rule: Sendable, Equatable {
    package var allowsCleartext: Bool?
    package var allowsLooseningTrust: Bool?
    package var minimumTLSVersion: SessionConfiguration.TLSBound?
    package var requiresForwardSecrecy: Bool?
    package var requiresRevocationCheck: Bool?
    /// One of these keys must be in the chain.
    package var pinnedPublicKeys: [Fingerprint]?

    package init() {}
  }

  package struct Domain: Sendable, Equatable {
    package let host: HostPattern
    package let rule: Rule

    package init(_ host: HostPattern, _ rule: Rule) {
      self.host = host
      self.rule = rule
    }
  }

  /// Requirements of a handshake beyond the session's configuration.
  package struct Requirements: Sendable, Equatable {
    package var minimumTLSVersion: SessionConfiguration.TLSBound?
    package var forwardSecrecy = false
    package var revocationCheck = false
    /// The names of these rules, for an error.
    package var rules: [String] = []

    package init() {}
  }

  package let defaults: Rule
  package let domains: [Domain]
  /// Whether there are no rules: every exchange reads this, and most daemons have no policy.
  private let isEmpty: Bool

  package init(defaults: Rule = Rule(), domains: [Domain] = []) {
    self.defaults = defaults
    self.domains = domains
    isEmpty = domains.isEmpty && defaults == Rule()
  }

  package static func == (left: TrustPolicy, right: TrustPolicy) -> Bool {
    left.defaults == right.defaults && left.domains == right.domains
  }

  // MARK: Queries

  /// The rule that forbids cleartext to this host; nil when it is allowed.
  package func ruleAgainstCleartext(to host: String) -> String? {
    rule(\.allowsCleartext, "allowsCleartext", is: false, for: host)
  }

  /// The rule that forbids accepting what default evaluation refuses of this host; nil when it is allowed.
  package func ruleAgainstLoosening(for host: String) -> String? {
    rule(\.allowsLooseningTrust, "allowsLooseningTrust", is: false, for: host)
  }

  /// The rule that forbids it of every host; nil when it is allowed of some.
  package var ruleAgainstLoosening: String? {
    guard defaults.allowsLooseningTrust == false,
      !domains.contains(where: { $0.rule.allowsLooseningTrust == true })
    else { return nil }
    return "transportSecurity.defaults.allowsLooseningTrust"
  }

  /// The rule that excepts this host from one that forbids cleartext; nil when cleartext is no exception.
  ///
  /// The exception is for the server that the administrator means by the name.
  package func exceptionForCleartext(to host: String) -> String? {
    guard let rule = rule(\.allowsCleartext, "allowsCleartext", is: true, for: host) else { return nil }
    let isForbidden =
      defaults.allowsCleartext == false
      || domains.contains { $0.rule.allowsCleartext == false && $0.host.matches(host) }
    return isForbidden ? rule : nil
  }

  /// Whether a rule forbids what the decision excuses for its origin.
  package func forbids(_ decision: TrustDecision) -> Bool {
    let host = decision.origin.host
    guard !decision.excused.isEmpty else { return false }
    return ruleAgainstLoosening(for: host) != nil
      || ruleOnRevocation(brokenBy: decision.excused, from: host) != nil
  }

  /// The rule that a chain breaks, regardless of decisions; nil when there is none.
  package func ruleBroken(
    by presented: PresentedChain, with faults: [TrustFault], from host: String
  ) -> String? {
    if let rule = rulePinningOtherKeys(than: presented, with: faults, from: host) { return rule }
    return ruleOnRevocation(brokenBy: faults, from: host)
  }

  /// Whether only keys that the administrator names are accepted of this host.
  package func pinsKeys(of host: String) -> Bool {
    find(\.pinnedPublicKeys, "pinnedPublicKeys", for: host) != nil
  }

  private func ruleOnRevocation(brokenBy faults: some Sequence<TrustFault>, from host: String) -> String? {
    let isUnproven = faults.contains { $0.reason == .revoked || $0.reason == .revocationUnknown }
    return isUnproven ? rule(\.requiresRevocationCheck, "requiresRevocationCheck", is: true, for: host) : nil
  }

  private func rulePinningOtherKeys(
    than presented: PresentedChain, with faults: [TrustFault], from host: String
  ) -> String? {
    guard let (keys, name) = find(\.pinnedPublicKeys, "pinnedPublicKeys", for: host),
      !PinSet.holds(presented, with: faults, oneOf: keys)
    else { return nil }
    return name
  }

  package func requirements(for host: String) -> Requirements {
    var requirements = Requirements()
    if let (version, name) = find(\.minimumTLSVersion, "minimumTLSVersion", for: host) {
      requirements.minimumTLSVersion = version
      requirements.rules.append(name)
    }
    if let name = rule(\.requiresForwardSecrecy, "requiresForwardSecrecy", is: true, for: host) {
      requirements.forwardSecrecy = true
      requirements.rules.append(name)
    }
    if let name = rule(\.requiresRevocationCheck, "requiresRevocationCheck", is: true, for: host) {
      requirements.revocationCheck = true
      requirements.rules.append(name)
    }
    return requirements
  }

  /// Every rule that applies to this host, for a person.
  package func rules(for host: String) -> [String] {
    [
      ruleAgainstCleartext(to: host), ruleAgainstLoosening(for: host),
      find(\.pinnedPublicKeys, "pinnedPublicKeys", for: host)?.1,
    ].compactMap(\.self) + requirements(for: host).rules
  }

  // MARK: Finding

  /// Rules have the names that they have in the configuration file.
  private func find<Value>(
    _ member: KeyPath<Rule, Value?>, _ memberName: String, for host: String
  ) -> (Value, String)? {
    guard !isEmpty else { return nil }
    let named = domains.enumerated().filter { $0.element.host.matches(host) }
      .max { TrustPolicy.isLessSpecific($0.element, $1.element, member) }
    if let named, let value = named.element.rule[keyPath: member] {
      return (value, "transportSecurity.domains[\(named.offset)].\(memberName)")
    }
    return defaults[keyPath: member].map { ($0, "transportSecurity.defaults.\(memberName)") }
  }

  /// Domains without the setting come last; then the longer name precedes, and the exact host.
  private static func isLessSpecific<Value>(
    _ one: Domain, _ other: Domain, _ member: KeyPath<Rule, Value?>
  ) -> Bool {
    func rank(_ domain: Domain) -> (Int, Int, Int) {
      (
        domain.rule[keyPath: member] == nil ? 0 : 1, domain.host.name.utf8.count,
        domain.host.includesSubdomains ? 0 : 1
      )
    }
    return rank(one) < rank(other)
  }

  private func rule(
    _ member: KeyPath<Rule, Bool?>, _ memberName: String, is value: Bool, for host: String
  ) -> String? {
    guard let (found, name) = find(member, memberName, for: host), found == value else { return nil }
    return name
  }
}

/// The requirements of a session and of the administrator on a chain, in addition to default evaluation.
package struct ChainRules: Sendable {
  /// All faults of a chain, and whether a report-only pin failed.
  package struct Findings: Sendable, Equatable {
    package var faults: [TrustFault]
    /// A pin that is report-only did not match.
    package var hasReportedPin = false
    /// A pin did not match that no reply can excuse.
    package fileprivate(set) var isRefusedByPin = false

    /// Whether a reply may accept the chain.
    package var isExcusable: Bool { !isRefusedByPin && faults.allSatisfy(\.reason.isExcusable) }
  }

  package let pins: PinSet
  package let policy: TrustPolicy

  package init(pins: PinSet, policy: TrustPolicy) {
    self.pins = pins
    self.policy = policy
  }

  package func findings(
    on presented: PresentedChain, with faults: [TrustFault], from host: String, at hop: Hop
  ) -> Findings {
    var findings = Findings(faults: faults)
    let pinned = pins.findings(on: presented, with: faults, from: host, at: hop)
    findings.hasReportedPin = pinned.isReported
    findings.isRefusedByPin = pinned.verdict == .refused
    switch pinned.verdict {
    case .fine, .reported: break
    case .mismatch, .refused: findings.faults.append(TrustFault(reason: .pinMismatch, depth: 0))
    }
    if policy.ruleBroken(by: presented, with: faults, from: host) != nil {
      findings.faults.append(TrustFault(reason: .policy, depth: 0))
    }
    return findings
  }
}
