import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// Pins: which keys count for which host.
struct PinSetTests {
  private func presented(_ key: UInt8, _ verified: UInt8...) -> PresentedChain {
    PresentedChain(
      chain: TrustScene.print(0), certificate: TrustScene.print(0), publicKey: TrustScene.print(key),
      verifiedPublicKeys: verified.map(TrustScene.print))
  }

  private func pins(_ host: String, _ keys: UInt8..., reportOnly: Bool = false) -> PinSet.Rule {
    PinSet.Rule(
      host: HostPattern(text: host), publicKeys: keys.map(TrustScene.print), isReportOnly: reportOnly)
  }

  @Test func oneOfTheKeysIsEnough() {
    let set = PinSet([pins("a.test", 1, 2)])
    let verdicts = [1, 2, 3].map { set.verdict(on: presented($0), with: [], from: "a.test") }
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
      #expect(set.verdict(on: chain, with: faults, from: "a.test") == verdict)
    }
  }

  @Test func everyRuleForAHostHasToBeMet() {
    let set = PinSet([pins("a.test", 1), pins("*.test", 2)])
    #expect(set.verdict(on: presented(1, 2), with: [], from: "a.test") == .fine)
    #expect(set.verdict(on: presented(1), with: [], from: "a.test") == .mismatch)
    #expect(set.verdict(on: presented(1), with: [], from: "b.example") == .fine)
  }

  @Test func aReportDoesNotRefuse() {
    let set = PinSet([pins("a.test", 1, reportOnly: true)])
    #expect(set.verdict(on: presented(2), with: [], from: "a.test") == .reported)
    #expect(
      PinSet(set.rules + [pins("a.test", 3)]).verdict(on: presented(2), with: [], from: "a.test") == .mismatch
    )
  }

  @Test(arguments: [
    ("a.test", "a.test", true), ("a.test", "a.test.", true), ("a.test.", "a.test", true),
    ("a.test", "b.a.test", false), ("*.a.test", "a.test", false), ("*.a.test", "b.a.test", true),
    ("*.a.test", "c.b.a.test.", true), ("*.a.test", "xa.test", false), ("::1", "::1", true),
  ])
  func aPatternCoversAHostOrAllBelowIt(_ pattern: String, _ host: String, _ matches: Bool) {
    #expect(HostPattern(text: pattern).matches(host) == matches)
  }
}
