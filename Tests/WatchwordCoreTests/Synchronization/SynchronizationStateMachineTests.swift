import Testing
import WatchwordCore

/// What the machine does with each event.
@Suite struct SynchronizationStateMachineTests {
  typealias Machine = SynchronizationStateMachine
  typealias Effect = SynchronizationStateMachine.Effect

  private let first = Machine.WriteAttempt(endpoint: 0, seconds: 0.5)

  private func machine(endpoints: Int = 3, hasUser: Bool = false) -> Machine {
    Machine(endpoints: endpoints, hasUser: hasUser, random: 0)
  }

  /// One account, read up to revision 7 and watched.
  private func watching(_ uids: [UInt32] = [1], hasUser: Bool = false) -> Machine {
    var machine = machine(hasUser: hasUser)
    for uid in uids { _ = machine.opened(uid, hasPending: false) }
    if hasUser { _ = machine.authenticated() }
    for uid in uids {
      _ = machine.pageRead(uid, revision: 7, hasMore: false)
      _ = machine.finishedReading(uid, hasPending: false)
    }
    _ = machine.watchBegan(revision: 7, random: 0)
    return machine
  }

  @Test func nothingIsDoneWithoutAnAccount() {
    var machine = machine()
    #expect(machine.state == .idle)
    #expect(machine.waited(random: 0).isEmpty && machine.failed(.timedOut, random: 0).isEmpty)
    #expect(machine.changed(1, hasPending: true, needsReading: true).isEmpty)
  }

  @Test func anAccountIsReadThenWatchedThenWritten() {
    var machine = machine()
    #expect(machine.opened(1, hasPending: true) == [.read(1, isFirst: true, records: 128)])
    #expect(machine.pageRead(1, revision: 7, hasMore: true) == [.read(1, isFirst: false, records: 128)])
    #expect(machine.pageRead(1, revision: 7, hasMore: false) == [.finishReading(1)])
    #expect(machine.finishedReading(1, hasPending: true) == [.watch([1: 8]), .wait(10), .write(1, first)])
    #expect(machine.state == .connecting)
    #expect(machine.watchBegan(revision: 7, random: 0) == [.wait(11.25)])
    #expect(machine.state == .watching && machine.revision(of: 1) == 7)
    #expect(machine.wrote(1, hasPending: true) == [.write(1, first)])
    #expect(machine.wrote(1, hasPending: false).isEmpty)
    #expect(machine.changed(1, hasPending: true, needsReading: false) == [.write(1, first)])
    // One write at a time.
    #expect(machine.changed(1, hasPending: true, needsReading: false).isEmpty)
  }

  @Test func aUserIsAuthenticatedFirstAndAgainAfterAFailure() {
    var machine = machine(hasUser: true)
    #expect(machine.opened(1, hasPending: false) == [.authenticate])
    #expect(machine.state == .connecting)
    #expect(machine.authenticated() == [.read(1, isFirst: true, records: 128)])
    #expect(machine.failed(.refused, random: 1) == [.abandon, .wait(0.5)])
    #expect(machine.waited(random: 0) == [.authenticate])
  }

  @Test func aLostMemberIsFollowedByTheNextWithAGrowingDelay() {
    var machine = machine()
    _ = machine.opened(1, hasPending: false)
    var delays: [Double] = []
    var endpoints: [Int] = []
    for _ in 0..<14 {
      let effects = machine.failed(.unreachable, random: 1)
      if case .wait(let delay)? = effects.last { delays.append(delay) }
      endpoints.append(machine.endpoint)
      #expect(machine.state == .waiting && machine.lastFault == .unreachable)
      #expect(machine.waited(random: 0) == [.read(1, isFirst: true, records: 128)])
    }
    #expect(endpoints.prefix(4) == [1, 2, 0, 1])
    #expect(zip(delays, delays.dropFirst()).allSatisfy(<=))
    #expect(delays.first == 0.5 && delays.last == 60)
  }

  @Test func whatWasReadIsNotReadAgainAfterALoss() {
    var machine = watching()
    #expect(machine.advanced(1, revision: 20).isEmpty)
    #expect(machine.failed(.unreachable, random: 0) == [.abandon, .wait(0.05)])
    #expect(machine.waited(random: 0) == [.watch([1: 21]), .wait(10)])
    #expect(machine.watchBegan(revision: 20, random: 0) == [.wait(11.25)])
    #expect(machine.lastFault == nil)
  }

  @Test func compactionAndAStoreThatWentBackAreReadAsAWhole() {
    var machine = watching()
    #expect(machine.lostHistory() == [.read(1, isFirst: true, records: 128)])
    machine = watching()
    _ = machine.failed(.unreachable, random: 0)
    _ = machine.waited(random: 0)
    #expect(
      machine.watchBegan(revision: 3, random: 0) == [.wait(11.25), .read(1, isFirst: true, records: 128)])
  }

  @Test func compactionWhileAPageIsReadBeginsAgain() {
    var machine = machine()
    _ = machine.opened(1, hasPending: false)
    _ = machine.pageRead(1, revision: 7, hasMore: true)
    #expect(machine.lostHistory() == [.read(1, isFirst: true, records: 128)])
  }

  @Test func aPageThatIsTooLargeIsHalved() {
    var machine = machine()
    _ = machine.opened(1, hasPending: false)
    for records in [64, 32, 16, 8, 4, 2, 1] {
      #expect(machine.pageTooLarge(1, random: 0) == [.read(1, isFirst: false, records: records)])
    }
    #expect(machine.pageTooLarge(1, random: 0) == [.abandon, .wait(0.05)])
    #expect(machine.lastFault == .tooLarge)
  }

  @Test func aWriteIsTriedAtTheNextEndpointWhileTheStreamGoesOn() {
    var machine = watching()
    #expect(machine.changed(1, hasPending: true, needsReading: false) == [.write(1, first)])
    let second = Machine.WriteAttempt(endpoint: 1, seconds: 0.5)
    #expect(machine.writeFailed(1, .timedOut, random: 0) == [.write(1, second)])
    let third = Machine.WriteAttempt(endpoint: 2, seconds: 1)
    #expect(machine.writeFailed(1, .unreachable, random: 0) == [.write(1, third)])
    #expect(machine.state == .watching && machine.endpoint == 0)
    // The endpoint in use is probed, and the next write begins with the time that the last one took.
    #expect(machine.wrote(1, hasPending: true) == [.write(1, .init(endpoint: 0, seconds: 1)), .wait(1)])
    #expect(machine.waited(random: 0) == [.probe(1, from: 8), .wait(11.25)])
    #expect(machine.wrote(1, hasPending: true) == [.write(1, first)])
    #expect(machine.wrote(1, hasPending: true) == [.write(1, first)])
  }

  @Test func aStoreThatTakesNoWriteAtAllIsLeft() {
    var machine = watching()
    _ = machine.changed(1, hasPending: true, needsReading: false)
    for endpoint in [1, 2, 0] {
      let next = machine.writeFailed(1, .timedOut, random: 0)
      guard case .write(1, let attempt)? = next.first, attempt.endpoint == endpoint else {
        Issue.record("\(next) in place of a try at \(endpoint)")
        return
      }
    }
    #expect(machine.writeFailed(1, .timedOut, random: 0) == [.abandon, .wait(0.05)])
    #expect(machine.lastFault == .timedOut && machine.state == .waiting)
  }

  @Test func anEndpointInUseThatRefusesAWriteIsLeftAtOnce() {
    var machine = watching()
    _ = machine.changed(1, hasPending: true, needsReading: false)
    #expect(machine.writeFailed(1, .unreachable, random: 0) == [.abandon, .wait(0.05)])
    #expect(machine.writeFailed(1, .timedOut, random: 0).isEmpty)
  }

  @Test func silenceIsProbed() {
    var machine = watching()
    #expect(machine.waited(random: 0) == [.probe(1, from: 8), .wait(11.25)])
    // One at a time.
    #expect(machine.waited(random: 0).isEmpty)
    #expect(machine.probed(1, missed: nil, revision: 9) == [.release(1)])
    #expect(machine.waited(random: 0) == [.probe(1, from: 8), .wait(11.25)])
    #expect(machine.probed(1, missed: 9, revision: 9) == [.wait(5)])
    // The watch shows it after all.
    _ = machine.advanced(1, revision: 9)
    #expect(machine.waited(random: 0) == [.probe(1, from: 10), .wait(11.25)])
    #expect(machine.probed(1, missed: 11, revision: 11) == [.wait(5)])
    #expect(machine.waited(random: 0) == [.read(1, isFirst: true, records: 128)])
    #expect(machine.lastFault == .silent)
  }

  @Test func accountsAreProbedInTurn() {
    var machine = watching([1, 5])
    #expect(machine.waited(random: 0).first == .probe(1, from: 8))
    _ = machine.probed(1, missed: nil, revision: 7)
    #expect(machine.waited(random: 0).first == .probe(5, from: 8))
    _ = machine.probed(5, missed: nil, revision: 7)
    #expect(machine.waited(random: 0).first == .probe(1, from: 8))
  }

  @Test func aWatchThatDoesNotBeginIsALoss() {
    var machine = machine()
    _ = machine.opened(1, hasPending: false)
    _ = machine.pageRead(1, revision: 7, hasMore: false)
    _ = machine.finishedReading(1, hasPending: false)
    #expect(machine.waited(random: 0) == [.abandon, .wait(0.05)])
    #expect(machine.lastFault == .timedOut)
  }

  @Test func anAccountThatComesLaterIsReadAndWatchedWithTheOthers() {
    var machine = watching()
    #expect(machine.opened(5, hasPending: false) == [.read(5, isFirst: true, records: 128)])
    _ = machine.advanced(1, revision: 9)
    _ = machine.pageRead(5, revision: 12, hasMore: false)
    #expect(machine.finishedReading(5, hasPending: false) == [.watch([1: 10, 5: 13]), .wait(10)])
    #expect(machine.closed(5) == [.watch([1: 10]), .wait(10)])
    #expect(machine.closed(1) == [.abandon])
    #expect(machine.state == .idle)
  }

  @Test func aVaultThatCannotBeWrittenWaitsAlone() {
    var machine = watching([1, 5])
    #expect(machine.suspend(1, .vaultUnwritable, random: 0) == [.watch([5: 8]), .wait(10), .wait(11.25)])
    _ = machine.watchBegan(revision: 7, random: 0)
    #expect(machine.lastFault == nil)
    #expect(machine.waited(random: 0).contains(.read(1, isFirst: true, records: 128)))
  }

  /// What it was writing is not awaited any more: the next one writes.
  @Test func aVaultThatCannotBeWrittenLeavesTheWriteToAnother() {
    var machine = watching([1, 5])
    #expect(machine.changed(1, hasPending: true, needsReading: false) == [.write(1, first)])
    #expect(machine.changed(5, hasPending: true, needsReading: false).isEmpty)
    let effects = machine.suspend(1, .vaultUnwritable, random: 0)
    #expect(effects.contains(.write(5, first)), "\(effects)")
    // Another one's write goes on.
    _ = machine.suspend(1, .vaultUnwritable, random: 0)
    #expect(machine.changed(5, hasPending: true, needsReading: false).isEmpty)
  }

  @Test func whatWasPassedOverIsReadWhenItIsWanted() {
    var machine = watching()
    #expect(
      machine.changed(1, hasPending: false, needsReading: true) == [.read(1, isFirst: true, records: 128)])
  }

  /// Events of any kind in any order: no effect is for an account that is gone, and one write runs at a time.
  @Test(arguments: 0..<50)
  func anyOrderOfEventsIsSurvived(seed: UInt64) {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    func next(_ bound: UInt64) -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state % bound
    }
    var machine = machine(hasUser: seed % 2 == 0)
    var open: Set<UInt32> = []
    for _ in 0..<500 {
      let uid = UInt32(next(3))
      let flag = next(2) == 0
      let revision = Int64(next(40))
      let effects: [Effect]
      switch next(15) {
      case 0:
        effects = open.insert(uid).inserted ? machine.opened(uid, hasPending: flag) : []
      case 1:
        open.remove(uid)
        effects = machine.closed(uid)
      case 2: effects = machine.changed(uid, hasPending: flag, needsReading: next(5) == 0)
      case 3: effects = machine.authenticated()
      case 4...5: effects = machine.pageRead(uid, revision: revision, hasMore: flag)
      case 6: effects = machine.finishedReading(uid, hasPending: flag)
      case 7: effects = machine.watchBegan(revision: revision, random: 0.5)
      case 8: effects = machine.advanced(uid, revision: revision)
      case 9: effects = machine.probed(uid, missed: flag ? revision : nil, revision: revision)
      case 10: effects = machine.suspend(uid, .vaultUnwritable, random: 0.5)
      case 11: effects = machine.waited(random: 0.5)
      case 12: effects = flag ? machine.lostHistory() : machine.failed(.unreachable, random: 0.5)
      case 13: effects = machine.writeFailed(uid, flag ? .timedOut : .unreachable, random: 0.5)
      default:
        effects = machine.wrote(uid, hasPending: flag)
      }
      for effect in effects {
        switch effect {
        case .read(let uid, _, let records):
          #expect(open.contains(uid) && records >= 1)
        case .finishReading(let uid), .write(let uid, _), .release(let uid), .probe(let uid, _):
          #expect(open.contains(uid))
        case .watch(let revisions): #expect(!revisions.isEmpty && open.isSuperset(of: revisions.keys))
        case .wait(let seconds): #expect(seconds > 0 && seconds <= 90)
        case .abandon, .authenticate: break
        }
      }
      #expect((machine.state == .idle) == open.isEmpty)
    }
  }
}
