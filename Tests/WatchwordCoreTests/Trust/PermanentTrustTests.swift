import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// What outlives a session: what it covers, and in which order it is asked.
struct PermanentTrustTests {
  private var permanent = PermanentTrust()
  private var ledger = TrustStore()

  @discardableResult
  private mutating func accept(
    _ scope: TrustScope = .certificate, _ trust: ServerTrust = TrustScene.trust(),
    from origin: Origin = TrustScene.origin
  ) -> PermanentTrust.TrustChangeResult {
    permanent.apply(
      .record(
        TrustDecision(trust, for: origin, scope: scope), about: PermanentTrust.Subject(trust), created: 7))
  }

  @discardableResult
  private mutating func recorded(
    _ scope: TrustScope = .certificate, _ trust: ServerTrust = TrustScene.trust()
  ) throws -> PermanentTrust.Recording {
    guard case .recorded(let recording) = accept(scope, trust) else { throw Missing() }
    return recording
  }

  private struct Missing: Error {}

  private mutating func isCovered(
    _ chain: UInt8 = 1, key: UInt8 = 1, _ faults: [TrustFault] = [TrustScene.unknown],
    from origin: Origin = TrustScene.origin, under policy: TrustPolicy = TrustPolicy()
  ) -> Bool {
    permanent.covers(
      TrustScene.presented(chain, key: key), from: origin, with: faults, under: policy, wallClock: 9)
  }

  private mutating func ruling(
    _ faults: [TrustFault] = [TrustScene.unknown], in partition: ConnectionPartition = .common
  ) -> TrustStore.Ruling {
    ledger.ruling(
      on: TrustScene.presented(1), with: faults, from: TrustScene.origin, in: partition, before: &permanent,
      under: TrustPolicy(), now: 0, wallClock: 9)
  }

  @Test mutating func itCoversWhatADecisionOfTheSessionWould() {
    accept()
    let deeper = TrustFault(reason: .expired, depth: 1)
    let verdicts = [
      isCovered(), isCovered(1, []), isCovered(from: TrustScene.other), isCovered(2),
      isCovered(1, [TrustScene.unknown, deeper]),
    ]
    #expect(verdicts == [true, true, false, false, false])
  }

  @Test mutating func aKeyMayGetAnotherCertificate() {
    accept(.publicKey)
    let verdicts = [isCovered(2), isCovered(1, key: 2)]
    #expect(verdicts == [true, false])
  }

  @Test mutating func theSessionsOwnDecisionIsUsedFirst() {
    accept()
    let alone = ruling()
    ledger.record(
      TrustDecision(TrustScene.trust(), for: TrustScene.origin), about: TrustScene.trust(), now: 0)
    let both = ruling()
    #expect(alone == .accept && both == .accept)
    #expect(ledger.all.map(\.record.uses) == [1])
    #expect(permanent.all.map { permanent.usage(of: $0).count } == [1])
    #expect(permanent.all.map { permanent.usage(of: $0).last } == [9])
  }

  @Test mutating func itCountsInEveryPartitionAndForSessionsThatSeeEveryChain() {
    accept()
    let verdicts = [ruling(in: .decided), ruling([], in: .decided), ruling(in: .grant(3))]
    #expect(verdicts == [.accept, .accept, .accept])
    let other = ruling([TrustScene.expired])
    #expect(other == .ask([TrustScene.expired]))
  }

  @Test mutating func whatThePolicyForbidsDoesNotCountAndStays() {
    accept()
    var rule = TrustPolicy.Rule()
    rule.allowsLooseningTrust = false
    let strict = TrustPolicy(defaults: rule)
    let verdicts = [isCovered(under: strict), isCovered(1, [], under: strict), isCovered()]
    #expect(verdicts == [false, false, true])
    #expect(permanent.count == 1)
  }

  @Test mutating func theSameDecisionTwiceIsOne() throws {
    let first = try recorded()
    let second = try recorded()
    #expect(first.isNew && !second.isNew && first.entry == second.entry && permanent.count == 1)
  }

  @Test mutating func anotherExcuseForTheSameTakesThePlaceUnderANumberOfItsOwn() throws {
    let first = try recorded()
    let second = try recorded(.certificate, TrustScene.trust(1, [TrustScene.expired]))
    #expect(second.replaced == first.entry)
    #expect(permanent.all == [second.entry] && second.entry.name == "p2")
  }

  @Test mutating func connectionsEndWithWhatIsNotExcusedAnyMore() throws {
    let excuses = [[TrustScene.unknown], [TrustScene.unknown, TrustScene.expired], [TrustScene.expired]]
    let ended = try excuses.map { try recorded(.certificate, TrustScene.trust(1, $0)).endsConnections }
    #expect(ended == [false, false, true])
  }

  @Test mutating func whatIsTakenBackLeavesWhatWasThere() throws {
    let before = try recorded()
    let replacing = try recorded(.certificate, TrustScene.trust(1, [TrustScene.expired]))
    permanent.takeBack(replacing)
    #expect(permanent.all == [before.entry] && permanent.count == 1)
    // The answer that changed nothing has nothing to take back.
    permanent.takeBack(try recorded())
    permanent.takeBack(replacing)
    #expect(permanent.all == [before.entry])
  }

  @Test mutating func removalIsByNumberByOriginOrOfAll() {
    accept()
    accept(.publicKey)
    accept(.certificate, from: TrustScene.other)
    #expect(permanent.holds(number: 2, origin: TrustScene.origin))
    #expect(!permanent.holds(number: 2, origin: TrustScene.other))
    #expect(permanent.apply(.remove(number: 2, origin: nil)) == .removed(1))
    #expect(permanent.apply(.remove(number: 2, origin: nil)) == .removed(0))
    #expect(permanent.apply(.remove(number: nil, origin: TrustScene.origin)) == .removed(1))
    #expect(permanent.all.map(\.name) == ["p3"])
    #expect(permanent.apply(.remove(number: nil, origin: nil)) == .removed(1))
    #expect(permanent.count == 0 && permanent.lastNumber == 3)
  }

  @Test mutating func noneGoesBecauseAnotherOneComes() {
    for port in 1...UInt16(PermanentTrust.capacity) {
      accept(from: Origin(scheme: .https, host: "a.example", port: port))
    }
    #expect(accept() == .recorded(permanent.recordingOf(443)))
    #expect(accept(from: TrustScene.other) == .full)
    #expect(permanent.count == PermanentTrust.capacity)
  }

  @Test func namesAreNumbersBehindALetter() {
    #expect(PermanentTrust.number(named: "p7") == 7)
    let others = ["7", "p", "p07", "p+7", "P7", "p7 ", "p-1", "p99999999999999999999", ""]
    #expect(others.allSatisfy { PermanentTrust.number(named: $0) == nil })
  }

  @Test mutating func whatContradictsItselfIsNotTaken() throws {
    let entry = try recorded().entry
    let twin = PermanentTrust.StoredDecision(number: 2, entry.decision, about: entry.subject, created: 7)
    #expect(PermanentTrust([entry], lastNumber: 1) != nil && PermanentTrust([], lastNumber: 0) != nil)
    #expect(PermanentTrust([entry], lastNumber: 0) == nil)
    #expect(PermanentTrust([entry, entry], lastNumber: 1) == nil)
    #expect(PermanentTrust([entry, twin], lastNumber: 2) == nil)
  }

  @Test mutating func ofTwoDecisionsTheLaterOneStays() throws {
    try recorded()
    let kept = try #require(permanent.all.first)
    let wider = TrustDecision(
      origin: kept.decision.origin, subject: kept.decision.subject,
      excused: kept.decision.excused.union([TrustFault(reason: .expired, depth: 3)]))
    func other(_ created: Int64) -> PermanentTrust.Change {
      .merge([PermanentTrust.StoredDecision(number: 40, wider, about: kept.subject, created: created)])
    }
    #expect(permanent.apply(other(kept.created)) == .merged(PermanentTrust.Merging()))
    #expect(permanent.all == [kept])
    var merging = PermanentTrust.Merging()
    merging.replaced = 1
    #expect(permanent.apply(other(kept.created + 1)) == .merged(merging))
    #expect(permanent.all.map(\.decision) == [wider] && permanent.all.map(\.number) == [2])
  }

  @Test mutating func aDifferenceIsWhatAStoreHasToWrite() throws {
    let empty = permanent
    #expect(permanent.difference(from: empty).isEmpty)
    let first = try recorded().entry
    let second = try recorded(.publicKey).entry
    let added = permanent.difference(from: empty)
    #expect(added.written == [first, second] && added.removed.isEmpty && added.isLedgerNew)
    let before = permanent
    _ = permanent.apply(.remove(number: first.number, origin: nil))
    let removed = permanent.difference(from: before)
    #expect(removed.written.isEmpty && removed.removed == [first.number] && !removed.isLedgerNew)
  }
}

extension PermanentTrust {
  /// What recording again says of the decision about this port.
  fileprivate func recordingOf(_ port: UInt16) -> Recording {
    let found = all.filter { $0.decision.origin.port == port }
    return Recording(entry: found[0], replaced: nil, isNew: false)
  }
}
