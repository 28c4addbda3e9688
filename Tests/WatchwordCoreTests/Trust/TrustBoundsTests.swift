import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// What is kept of decisions about chains, and when each ends (challenges.md 10).
struct TrustBoundsTests {
  private let origin = TrustScene.origin
  private let tasks = [1, 2].map { TaskIdentifier($0) }

  private func limits(_ change: (inout CredentialLimits) -> Void) -> CredentialLimits {
    var limits = CredentialLimits()
    change(&limits)
    return limits
  }

  private func entry(
    _ number: UInt64, chain: UInt8? = nil, _ faults: [TrustFault] = [TrustScene.unknown], created: Int64 = 7
  ) -> PermanentTrust.StoredDecision {
    let trust = TrustScene.trust(chain ?? UInt8(truncatingIfNeeded: number), key: 1, faults)
    let origin = Origin(scheme: .https, host: "h\(number).example", port: 443)
    return PermanentTrust.StoredDecision(
      number: number, TrustDecision(trust, for: chain == nil ? origin : self.origin),
      about: PermanentTrust.Subject(trust), created: created)
  }

  // MARK: Permanent decisions

  @Test func aVaultHasOnlySoManyDecisions() {
    let capacity = UInt64(PermanentTrust.capacity)
    let entries = (1...capacity + 1).map { entry($0) }
    #expect(PermanentTrust(Array(entries.dropLast()), lastNumber: capacity)?.count == Int(capacity))
    #expect(PermanentTrust(entries, lastNumber: capacity + 1) == nil)
    #expect(
      PermanentTrust([entry(1)], lastNumber: 0) == nil && PermanentTrust([entry(0)], lastNumber: 1) == nil)
  }

  @Test func noNumberIsGivenTwice() throws {
    for (last, isFull) in [(UInt64(Int64.max) - 1, false), (UInt64(Int64.max), true)] {
      var permanent = try #require(PermanentTrust([entry(1)], lastNumber: last))
      let new = entry(5)
      let outcome = permanent.apply(.record(new.decision, about: new.subject, created: 7))
      #expect((outcome == .full) == isFull && permanent.count == (isFull ? 1 : 2))
    }
  }

  @Test(arguments: [(1, nil), (nil, origin1), (2, nil), (nil, nil)] as [(UInt64?, Origin?)])
  func theUsesOfWhatIsRemovedAreForgottenAndNoOthers(number: UInt64?, origin: Origin?) throws {
    let entries = [entry(1), entry(2)]
    var permanent = try #require(PermanentTrust(entries, lastNumber: 2))
    for entry in entries {
      let chain = TrustScene.presented(UInt8(entry.number))
      let isCovered = permanent.covers(
        chain, from: entry.decision.origin, with: [TrustScene.unknown], under: TrustPolicy(), wallClock: 9)
      #expect(isCovered)
    }
    let isGone = entries.map {
      (number == nil || number == $0.number) && (origin == nil || origin == $0.decision.origin)
    }
    let outcome = permanent.apply(.remove(number: number, origin: origin))
    #expect(outcome == .removed(isGone.count { $0 }) && permanent.count == isGone.count { !$0 })
    #expect(entries.map { permanent.usage(of: $0).count } == isGone.map { $0 ? 0 : 1 })
  }

  private static let origin1 = Origin(scheme: .https, host: "h1.example", port: 443)

  @Test(arguments: [
    ([TrustScene.unknown], false), ([], true), ([TrustScene.unknown, TrustScene.expired], false),
  ])
  func anImportThatExcusesLessEndsConnections(faults: [TrustFault], endsConnections: Bool) throws {
    var permanent = try #require(
      PermanentTrust([entry(1, chain: 1, [TrustScene.unknown])], lastNumber: 1))
    let outcome = permanent.apply(.merge([entry(1, chain: 1, faults, created: 8), entry(2, chain: 2)]))
    var merging = PermanentTrust.Merging()
    merging.endsConnections = endsConnections
    merging.added = 1
    merging.replaced = faults == [TrustScene.unknown] ? 0 : 1
    #expect(outcome == .merged(merging))
  }

  @Test func onlyWhatDiffersIsWritten() throws {
    let one = try #require(PermanentTrust([entry(1)], lastNumber: 2))
    let two = try #require(PermanentTrust([entry(1), entry(2)], lastNumber: 2))
    let later = try #require(PermanentTrust([entry(1)], lastNumber: 3))
    #expect(one.difference(from: one).isEmpty)
    #expect(!two.difference(from: one).isEmpty && two.difference(from: one).written.map(\.number) == [2])
    #expect(!one.difference(from: two).isEmpty && one.difference(from: two).removed == [2])
    #expect(!later.difference(from: one).isEmpty && later.difference(from: one).isLedgerNew)
  }

  // MARK: Decisions of a session

  @Test(arguments: [false, true]) func aDecisionEndsAtItsTime(_ isTakenOver: Bool) {
    var store = TrustStore()
    let trust = TrustScene.trust()
    store.record(
      TrustDecision(trust, for: origin), about: trust, limits: limits { $0.lifetimeSeconds = 10 }, now: 0)
    if isTakenOver {
      let entries = store.all
      store = TrustStore()
      for entry in entries { store.takeOver(entry) }
    }
    let before = store.removeExpired(now: 9.9, wallClock: 0)
    #expect(!before && store.count == 1)
    let after = store.removeExpired(now: 10, wallClock: 0)
    #expect(after && store.count == 0)
  }

  @Test func aDecisionOfATaskEndsAtItsTime() {
    var store = TrustStore()
    let trust = TrustDecision(TrustScene.trust(), for: origin)
    store.grant(trust, limits: limits { $0.lifetimeSeconds = 10 }, now: 0, to: tasks)
    store.grant(TrustDecision(TrustScene.trust(2), for: TrustScene.other), now: 0, to: tasks)
    func accepted(_ origin: Origin) -> Int { store.accepted(from: origin, for: tasks[0]).count }
    #expect(accepted(origin) == 1 && accepted(TrustScene.other) == 1)
    let results = [9.9, 10, 10].map { store.removeExpired(now: $0, wallClock: 0) }
    #expect(results == [false, true, false] && accepted(origin) == 0 && accepted(TrustScene.other) == 1)
  }

  /// What was accepted counts with the session's decisions and with those of the task itself.
  @Test(arguments: [false, true], [false, true])
  func whatWasAcceptedIsOfTheSessionAndOfTheTask(_ isSession: Bool, _ isTask: Bool) {
    var store = TrustStore()
    let trust = TrustScene.trust()
    if isSession { store.record(TrustDecision(trust, for: origin), about: trust, now: 0) }
    if isTask { store.grant(TrustDecision(TrustScene.trust(2), for: origin), to: [tasks[0]]) }
    #expect(store.accepted(from: origin, for: tasks[0]).count == (isSession ? 1 : 0) + (isTask ? 1 : 0))
    #expect(store.accepted(from: origin, for: tasks[1]).count == (isSession ? 1 : 0))
    #expect(store.accepted(from: origin, for: nil).count == (isSession ? 1 : 0))
    #expect(store.accepted(from: TrustScene.other, for: tasks[0]).isEmpty)
  }

  @Test func ofOneRequestTheLastDecisionOfATaskCounts() {
    var store = TrustStore()
    func decision(_ name: String, _ choice: IdentityChoice) -> IdentityStore.Decision {
      IdentityStore.Decision(request: .of(name), choice: choice)
    }
    _ = store.grant(decision("Staff", .none), for: origin, to: [tasks[0]])
    _ = store.grant(decision("Guests", .none), for: origin, to: [tasks[0]])
    _ = store.grant(decision("Staff", .default), for: origin, to: [tasks[0]])
    let partition = store.partition(for: tasks[0], to: origin, isAsked: false)
    #expect(
      store.grants.grant(of: partition)?.identities == [
        decision("Guests", .none), decision("Staff", .default),
      ])
    store.forgetGranted(.of("Guests"), in: partition)
    #expect(store.grants.grant(of: partition)?.identities == [decision("Staff", .default)])
  }

  // MARK: Rules

  private func rule(_ change: (inout TrustPolicy.Rule) -> Void) -> TrustPolicy.Rule {
    var rule = TrustPolicy.Rule()
    change(&rule)
    return rule
  }

  @Test func rulesAreTheSameByWhatTheySay() {
    let loose = rule { $0.allowsCleartext = true }
    let domain = TrustPolicy.Domain(HostPattern("a"), loose)
    #expect(TrustPolicy() == TrustPolicy())
    #expect(
      TrustPolicy(defaults: loose, domains: [domain]) == TrustPolicy(defaults: loose, domains: [domain]))
    #expect(TrustPolicy(defaults: loose) != TrustPolicy() && TrustPolicy(domains: [domain]) != TrustPolicy())
    #expect(TrustPolicy(defaults: loose, domains: [domain]) != TrustPolicy(defaults: loose))
  }

  @Test func onlyAnExcuseCanBeForbidden() {
    let policy = TrustPolicy(defaults: rule { $0.allowsLooseningTrust = false })
    #expect(!policy.forbids(TrustDecision(TrustScene.trust(1, key: 1, []), for: origin)))
    #expect(policy.forbids(TrustDecision(TrustScene.trust(), for: origin)))
    #expect(!TrustPolicy().forbids(TrustDecision(TrustScene.trust(), for: origin)))
  }

  @Test(arguments: [nil, false, true] as [Bool?]) func aRequirementHoldsWhereARuleDemandsIt(_ value: Bool?) {
    let policy = TrustPolicy(
      defaults: rule {
        $0.requiresRevocationCheck = value
        $0.requiresForwardSecrecy = value
      })
    let requirements = policy.requirements(for: "a.example")
    #expect(requirements.revocationCheck == (value == true))
    #expect(requirements.forwardSecrecy == (value == true))
    let prefix = "transportSecurity.defaults."
    #expect(
      requirements.rules
        == (value == true
          ? [prefix + "requiresForwardSecrecy", prefix + "requiresRevocationCheck"] : []))
  }
}
