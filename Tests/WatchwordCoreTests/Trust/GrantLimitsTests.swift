import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// Decisions for some tasks only, which their limits end (challenges.md 10.7).
struct GrantLimitsTests {
  @Test(arguments: [9.0, 10]) func aGrantEndsWithItsTime(now: Double) throws {
    let task = TaskIdentifier(1)
    let trust = TrustScene.trust()
    var limits = CredentialLimits()
    limits.lifetimeSeconds = 10
    var store = TrustStore()
    store.grant(TrustDecision(trust, for: TrustScene.origin), limits: limits, now: 0, to: [task])
    let partition = store.partition(for: task, to: TrustScene.origin, isAsked: false)
    #expect(partition.ground == .grant(1))
    let isOver = store.removeExpired(now: now, wallClock: 1_000_000 + now)
    #expect(isOver == (now >= 10))
    let ruling = store.ruling(
      on: trust.presented, with: trust.faults, from: TrustScene.origin, in: partition, now: now)
    #expect((ruling == .accept) == !isOver)
  }

  @Test func aGrantWithoutLimitsStays() {
    let task = TaskIdentifier(1)
    let trust = TrustScene.trust()
    var store = TrustStore()
    store.grant(TrustDecision(trust, for: TrustScene.origin), now: 0, to: [task])
    let isOver = store.removeExpired(now: 1e9, wallClock: 1e9)
    #expect(!isOver)
  }
}
