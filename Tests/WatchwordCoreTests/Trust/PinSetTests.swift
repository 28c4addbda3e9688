import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// Pins: which keys count for which host.
struct PinSetTests {
  private func presented(_ key: UInt8, _ verified: UInt8...) -> PresentedChain { presented(key, verified) }

  private func presented(_ key: UInt8, _ verified: [UInt8]) -> PresentedChain {
    PresentedChain(
      chain: TrustScene.print(0), certificate: TrustScene.print(0), publicKey: TrustScene.print(key),
      verifiedPublicKeys: verified.map(TrustScene.print))
  }

  private func pins(_ host: String, _ keys: UInt8..., reportOnly: Bool = false, excusable: Bool = true)
    -> PinSet.Rule
  {
    PinSet.Rule(
      host: HostPattern(text: host), publicKeys: keys.map(TrustScene.print), isReportOnly: reportOnly,
      isExcusable: excusable)
  }

  @Test func oneOfTheKeysIsEnough() {
    let set = PinSet([pins("a.test", 1, 2)])
    let verdicts = [1, 2, 3].map {
      set.findings(on: presented($0), with: [], from: "a.test", at: .origin).verdict
    }
    #expect(verdicts == [.fine, .fine, .mismatch])
  }

  @Test func anIssuersKeyCountsWhenTheSignaturesAreSound() {
    let set = PinSet([pins("a.test", 9)])
    let chain = presented(1, 1, 9)
    for (reasons, verdict) in [
      ([], PinSet.Verdict.fine), ([TrustReason.expired, .hostMismatch, .notYetValid], .fine),
      // A missed pin of the session's says nothing of the signatures; the administrator's are looked at after it.
      ([.pinMismatch], .fine), ([.policy], .mismatch), ([.unknownIssuer], .mismatch),
      ([.expired, .selfSigned], .mismatch), ([.other], .mismatch),
    ] {
      let faults = reasons.map { TrustFault(reason: $0, depth: 0) }
      #expect(set.findings(on: chain, with: faults, from: "a.test", at: .origin).verdict == verdict)
    }
  }

  @Test func everyRuleForAHostHasToBeMet() {
    let set = PinSet([pins("a.test", 1), pins("*.test", 2)])
    #expect(set.findings(on: presented(1, 2), with: [], from: "a.test", at: .origin).verdict == .fine)
    #expect(set.findings(on: presented(1), with: [], from: "a.test", at: .origin).verdict == .mismatch)
    #expect(set.findings(on: presented(1), with: [], from: "b.example", at: .origin).verdict == .fine)
  }

  @Test func aReportDoesNotRefuse() {
    let set = PinSet([pins("a.test", 1, reportOnly: true)])
    #expect(set.findings(on: presented(2), with: [], from: "a.test", at: .origin).verdict == .reported)
    #expect(
      PinSet(set.rules + [pins("a.test", 3)]).findings(
        on: presented(2), with: [], from: "a.test", at: .origin
      ).verdict
        == .mismatch
    )
  }

  @Test func everyOriginMayBePinnedButNoProxyByThat() {
    let every = PinSet([pins("*", 1)])
    for host in ["a.test", "192.0.2.1", "::1", "localhost"] {
      #expect(every.findings(on: presented(1), with: [], from: host, at: .origin).verdict == .fine)
      #expect(every.findings(on: presented(2), with: [], from: host, at: .origin).verdict == .mismatch)
      #expect(every.findings(on: presented(2), with: [], from: host, at: .proxy).verdict == .fine)
    }
    let named = PinSet([pins("a.test", 1)])
    #expect(named.findings(on: presented(2), with: [], from: "a.test", at: .proxy).verdict == .mismatch)
  }

  @Test func theStrictestRuleThatIsBrokenCounts() {
    let rules = [pins("a.test", 1, reportOnly: true), pins("*.test", 2), pins("*", 3, excusable: false)]
    func verdict(_ key: UInt8, _ verified: UInt8...) -> [PinSet.Verdict] {
      [rules, rules.reversed()].map { rules in
        PinSet(rules).findings(
          on: presented(key, verified),
          with: [], from: "a.test", at: .origin
        ).verdict
      }
    }
    #expect(verdict(1, 2) == [.refused, .refused])
    #expect(verdict(1, 3) == [.mismatch, .mismatch])
    #expect(verdict(2, 3) == [.reported, .reported])
    let broken = PinSet(rules).findings(on: presented(1), with: [], from: "a.test", at: .origin)
    #expect(!broken.isReported, "its key is there")
    let both = PinSet(rules).findings(on: presented(9), with: [], from: "a.test", at: .origin)
    #expect(both.isReported && both.verdict == .refused)
    #expect(verdict(1, 2, 3) == [.fine, .fine])
  }

  @Test(arguments: [
    ("a.test", "a.test", true), ("a.test", "a.test.", true), ("a.test.", "a.test", true),
    ("a.test", "b.a.test", false), ("*.a.test", "a.test", false), ("*.a.test", "b.a.test", true),
    ("*.a.test", "c.b.a.test.", true), ("*.a.test", "xa.test", false), ("::1", "::1", true),
    ("*", "a.test", true), ("*", "::1", true),
  ])
  func aPatternCoversAHostOrAllBelowIt(_ pattern: String, _ host: String, _ matches: Bool) {
    #expect(HostPattern(text: pattern).matches(host) == matches)
  }
}
