import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// A chain that costs too much to verify is nobody's to accept (challenges.md 10.12).
@Suite struct InexcusableFaultTests {
  @Test func noDecisionCoversOne() {
    var scene = SessionScene()
    let complex = [TrustScene.unknown, TrustFault(reason: .tooComplex, depth: 1)]
    var permanent = PermanentTrust()
    for faults in [[TrustScene.unknown], complex] {
      let trust = TrustScene.trust(1, faults)
      scene.state.trust.record(TrustDecision(trust, for: TrustScene.origin), about: trust, now: 0)
      let ruling = scene.state.ruling(
        on: trust.presented, with: faults, from: TrustScene.origin, at: .origin, in: .common,
        permanent: &permanent)
      #expect(ruling == (faults == complex ? .refuse(faults) : .accept))
    }
  }
}
