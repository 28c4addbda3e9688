import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// What a decision about a chain covers, and for whom.
struct TrustStoreTests {
  private var ledger = TrustStore()
  private let task = TaskIdentifier(1)
  private let other = TaskIdentifier(2)

  private mutating func ruling(
    _ chain: UInt8 = 1, key: UInt8 = 1, _ faults: [TrustFault] = [TrustScene.unknown],
    from origin: Origin = TrustScene.origin, in partition: ConnectionPartition = .common
  ) -> Bool {
    let ruling = ledger.ruling(
      on: TrustScene.presented(chain, key: key), with: faults, from: origin, in: partition, now: 0)
    #expect(ruling == .accept || ruling == .ask(faults))
    return ruling == .accept
  }

  private mutating func accept(_ scope: TrustScope, _ trust: ServerTrust = TrustScene.trust()) {
    ledger.record(TrustDecision(trust, for: TrustScene.origin, scope: scope), about: trust, now: 0)
  }

  @Test mutating func whatIsFineIsAcceptedWhereNoDelegateWantsToSeeIt() {
    let verdicts = [ruling(1, []), ruling(1), ruling(1, [], in: .decided), ruling(1, [], in: .grant(9))]
    #expect(verdicts == [true, false, false, false])
  }

  @Test mutating func aCertificateIsAcceptedForItsOriginOnly() {
    accept(.certificate)
    let verdicts = [
      ruling(), ruling(in: .decided), ruling(from: TrustScene.other), ruling(2), ruling(2, key: 2),
    ]
    #expect(verdicts == [true, true, false, false, false])
  }

  @Test mutating func aKeyMayGetAnotherCertificate() {
    accept(.publicKey)
    let verdicts = [ruling(), ruling(2), ruling(1, key: 2)]
    #expect(verdicts == [true, true, false])
  }

  @Test mutating func onlyTheFaultsThatWereShownAreExcused() {
    accept(.certificate, TrustScene.trust(1, [TrustScene.unknown, TrustScene.expired]))
    let deeper = TrustFault(reason: .expired, depth: 1)
    let verdicts = [
      ruling(1, [TrustScene.expired]), ruling(1, []), ruling(1, [deeper]),
      ruling(1, [TrustScene.unknown, TrustScene.expired, deeper]),
    ]
    #expect(verdicts == [true, true, false, false])
  }

  @Test mutating func aNewDecisionAboutTheSameReplacesTheOldOne() {
    accept(.certificate, TrustScene.trust(1, [TrustScene.unknown, TrustScene.expired]))
    accept(.certificate)
    let verdict = ruling(1, [TrustScene.expired])
    #expect(ledger.count == 1 && !verdict)
  }

  @Test mutating func aDecisionThatExcusesLessEndsTheOneBefore() {
    let excuses = [[TrustScene.unknown], [TrustScene.unknown, TrustScene.expired], [TrustScene.expired]]
    let ended = excuses.map { faults in
      let trust = TrustScene.trust(1, faults)
      return ledger.record(TrustDecision(trust, for: TrustScene.origin), about: trust, now: 0)
    }
    #expect(ended == [false, false, true])
  }

  @Test mutating func aGrantServesItsTasksAndEndsWithTheLast() {
    ledger.grant(TrustDecision(TrustScene.trust(), for: TrustScene.origin), to: [task, other])
    let partition = ledger.partition(for: task, to: TrustScene.origin, isAsked: true)
    #expect(partition == ledger.partition(for: other, to: TrustScene.origin, isAsked: false))
    #expect(partition != .common && partition != .decided)
    let stranger = ledger.partition(for: TaskIdentifier(3), to: TrustScene.origin, isAsked: true)
    #expect(stranger == .decided)
    #expect(ledger.partition(for: task, to: TrustScene.other, isAsked: false) == .common)
    let verdicts = [
      ruling(in: partition), ruling(2, in: partition), ruling(in: .common), ruling(in: .decided),
    ]
    #expect(verdicts == [true, false, false, false])
    let first = ledger.ended(task)
    let last = ledger.ended(other)
    #expect(first.isEmpty && last == [partition.ground])
    let after = ruling(in: partition)
    #expect(!after)
  }

  @Test mutating func decisionsAreRemovedByNumberByOriginOrAll() {
    accept(.certificate)
    accept(.publicKey)
    accept(.certificate, TrustScene.trust(2))
    let numbers = ledger.all.map(\.identifier)
    let removed = [
      ledger.remove(identifier: numbers[0], origin: TrustScene.other),
      ledger.remove(identifier: numbers[0], origin: nil),
      ledger.remove(identifier: nil, origin: TrustScene.origin), ledger.remove(identifier: nil, origin: nil),
    ]
    #expect(removed == [0, 1, 2, 0])
    #expect(ledger.count == 0)
  }

  @Test mutating func theLeastRecentlyUsedGoesFirst() {
    for port in 0...TrustStore.capacity {
      let origin = Origin(scheme: .https, host: "h", port: UInt16(port))
      let trust = TrustScene.trust()
      let isAnotherGone = ledger.record(TrustDecision(trust, for: origin), about: trust, now: Double(port))
      #expect(isAnotherGone == (port == TrustStore.capacity))
    }
    let hosts = ledger.all.map(\.decision.origin.port)
    #expect(hosts.count == TrustStore.capacity && !hosts.contains(0))
  }
}
