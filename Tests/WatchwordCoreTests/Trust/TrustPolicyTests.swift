import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// The administrator's rules: the most specific one that speaks decides, and it is named.
struct TrustPolicyTests {
  private func rule(_ change: (inout TrustPolicy.Rule) -> Void) -> TrustPolicy.Rule {
    var rule = TrustPolicy.Rule()
    change(&rule)
    return rule
  }

  private var policy: TrustPolicy {
    TrustPolicy(
      defaults: rule { $0.allowsCleartext = false },
      domains: [
        TrustPolicy.Domain(
          HostPattern("example", includesSubdomains: true),
          rule {
            $0.allowsCleartext = true
            $0.minimumTLSVersion = .tls13
          }),
        TrustPolicy.Domain(
          HostPattern("bank.example", includesSubdomains: true),
          rule {
            $0.allowsLooseningTrust = false
            $0.allowsCleartext = false
            $0.requiresForwardSecrecy = true
            $0.pinnedPublicKeys = [TrustScene.print(7)]
          }),
        TrustPolicy.Domain(HostPattern("dev.bank.example"), rule { $0.allowsLooseningTrust = true }),
      ])
  }

  @Test func withoutRulesEverythingIsAsTheSessionHasIt() {
    let policy = TrustPolicy()
    #expect(policy.ruleAgainstCleartext(to: "a") == nil && policy.ruleAgainstLoosening(for: "a") == nil)
    #expect(policy.requirements(for: "a") == TrustPolicy.Requirements())
    #expect(policy.rules(for: "a").isEmpty)
  }

  @Test(arguments: [
    ("elsewhere", "transportSecurity.defaults.allowsCleartext"), ("a.example", nil), ("example.", nil),
    ("bank.example", "transportSecurity.domains[1].allowsCleartext"),
    ("a.bank.example", "transportSecurity.domains[1].allowsCleartext"),
    ("dev.bank.example", "transportSecurity.domains[1].allowsCleartext"),
    ("mybank.example", nil),
  ])
  func cleartext(_ host: String, _ rule: String?) {
    #expect(policy.ruleAgainstCleartext(to: host) == rule)
  }

  @Test func aMoreSpecificDomainAllowsWhatTheOneAboveForbids() {
    let rules = ["bank.example", "x.bank.example.", "dev.bank.example", "example"].map {
      policy.ruleAgainstLoosening(for: $0)
    }
    let forbidden = "transportSecurity.domains[1].allowsLooseningTrust"
    #expect(rules == [forbidden, forbidden, nil, nil])
  }

  @Test func requirementsComeFromWhateverRuleSpeaksOfThem() {
    let requirements = policy.requirements(for: "dev.bank.example")
    #expect(requirements.minimumTLSVersion == .tls13 && requirements.forwardSecrecy)
    #expect(
      requirements.rules == [
        "transportSecurity.domains[0].minimumTLSVersion",
        "transportSecurity.domains[1].requiresForwardSecrecy",
      ])
  }

  @Test func anAdministratorsPinIsAFaultThatNothingExcuses() {
    let rules = ChainRules(pins: PinSet(), policy: policy)
    let another = TrustScene.presented(1, key: 1)
    let wrong = rules.findings(on: another, with: [], from: "bank.example", at: .origin)
    #expect(wrong.faults == [TrustFault(reason: .policy, depth: 0)])
    #expect(
      policy.ruleBroken(by: another, with: [], from: "bank.example")
        == "transportSecurity.domains[1].pinnedPublicKeys")
    let right = rules.findings(
      on: TrustScene.presented(1, key: 7), with: [], from: "bank.example", at: .origin)
    #expect(right == ChainRules.Findings(faults: []))
  }

  @Test func whatIsNotKnownToBeGoodBreaksARuleThatAsksForIt() {
    let policy = TrustPolicy(defaults: rule { $0.requiresRevocationCheck = true })
    let rules = ChainRules(pins: PinSet(), policy: policy)
    let presented = TrustScene.presented(1, key: 1)
    for reason in [TrustReason.revoked, .revocationUnknown] {
      let fault = TrustFault(reason: reason, depth: 0)
      let findings = rules.findings(on: presented, with: [fault], from: "a", at: .origin)
      #expect(findings.faults == [fault, TrustFault(reason: .policy, depth: 0)])
      #expect(
        policy.ruleBroken(by: presented, with: [fault], from: "a")
          == "transportSecurity.defaults.requiresRevocationCheck")
    }
    let expired = TrustFault(reason: .expired, depth: 0)
    #expect(rules.findings(on: presented, with: [expired], from: "a", at: .origin).faults == [expired])
    #expect(policy.ruleBroken(by: presented, with: [expired], from: "a") == nil)
  }

  /// An exception is what makes a name of more worth than others to who wants cleartext.
  @Test func anExceptionFromARuleAgainstCleartextIsNamed() {
    func allows(_ allows: Bool?) -> TrustPolicy.Rule { rule { $0.allowsCleartext = allows } }
    let inner = TrustPolicy.Domain(HostPattern("a.example"), allows(true))
    let outer = TrustPolicy.Domain(HostPattern("example", includesSubdomains: true), allows(false))
    let name = "transportSecurity.domains[0].allowsCleartext"
    #expect(
      TrustPolicy(defaults: allows(false), domains: [inner]).exceptionForCleartext(to: "a.example.") == name)
    #expect(TrustPolicy(domains: [inner, outer]).exceptionForCleartext(to: "a.example") == name)
    // What no rule forbids is no exception, and what is forbidden neither.
    #expect(TrustPolicy(domains: [inner]).exceptionForCleartext(to: "a.example") == nil)
    #expect(TrustPolicy(domains: [inner, outer]).exceptionForCleartext(to: "b.example") == nil)
    #expect(
      TrustPolicy(defaults: allows(true), domains: [inner]).exceptionForCleartext(to: "a.example") == nil)
    #expect(TrustPolicy().exceptionForCleartext(to: "a.example") == nil)
  }
}
