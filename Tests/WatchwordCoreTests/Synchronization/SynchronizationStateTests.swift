import Testing
import WatchwordCore

/// What the machine shows of itself, and what it forgets when a connection, a watch or an account ends.
struct SynchronizationStateTests {
  typealias Machine = SynchronizationStateMachine

  private static let read1 = Machine.Effect.read(1, isFirst: true, records: 128)

  /// Account 1, read up to revision 7 and watched.
  private static func watching(hasUser: Bool = false) -> Machine {
    var machine = Machine(endpoints: 3, hasUser: hasUser, random: 0)
    _ = machine.opened(1, hasPending: false)
    if hasUser { _ = machine.authenticated() }
    _ = machine.pageRead(1, revision: 7, hasMore: false)
    _ = machine.finishedReading(1, hasPending: false)
    _ = machine.watchBegan(revision: 7, random: 0)
    return machine
  }

  @Test func whatASuspendedAccountHasToTellIsNotPending() {
    var machine = Machine(endpoints: 1, hasUser: false, random: 0)
    #expect(!machine.hasPending)
    _ = machine.opened(1, hasPending: false)
    #expect(!machine.hasPending)
    _ = machine.opened(5, hasPending: true)
    #expect(machine.hasPending)
    _ = machine.suspend(5, .vaultUnwritable, random: 0)
    #expect(!machine.hasPending)
    _ = machine.waited(random: 0)
    #expect(machine.hasPending)
  }

  @Test func withoutAWatchItOnlyConnects() {
    var machine = Machine(endpoints: 1, hasUser: false, random: 0)
    _ = machine.opened(1, hasPending: false)
    #expect(machine.state == .reading)
    _ = machine.suspend(1, .vaultUnwritable, random: 0)
    #expect(machine.state == .connecting)
  }

  @Test func aWatchIsForgottenWithTheConnection() {
    var machine = Self.watching()
    #expect(machine.state == .watching)
    _ = machine.changed(1, hasPending: false, needsReading: true)
    _ = machine.failed(.unreachable, random: 0)
    #expect(machine.waited(random: 0) == [Self.read1])
    _ = machine.suspend(1, .vaultUnwritable, random: 0)
    #expect(machine.state == .connecting)
  }

  @Test func aWatchAndATokenAreForgottenWithTheLastAccount() {
    var machine = Self.watching(hasUser: true)
    #expect(machine.closed(1) == [.abandon] && machine.state == .idle)
    #expect(machine.opened(1, hasPending: false) == [.authenticate])
    #expect(machine.authenticated() == [Self.read1])
    _ = machine.suspend(1, .vaultUnwritable, random: 0)
    #expect(machine.state == .connecting)
  }

  /// The account that is being written is read after that, and no silent watch is looked for meanwhile.
  @Test func aLostHistoryEndsTheWatchWhileAWriteGoesOn() {
    var machine = Self.watching()
    _ = machine.changed(1, hasPending: true, needsReading: false)
    _ = machine.writeFailed(1, .timedOut, random: 0)
    #expect(machine.lostHistory().isEmpty && machine.state == .connecting)
    #expect(machine.wrote(1, hasPending: false) == [Self.read1])
  }

  @Test func aChangeThatWasTakenOverAlreadyIsNotMissed() {
    var machine = Self.watching()
    _ = machine.waited(random: 0)
    #expect(machine.probed(1, missed: 7, revision: 7) == [.release(1)])
    _ = machine.waited(random: 0)
    #expect(machine.probed(1, missed: 8, revision: 8) == [.wait(5)])
  }

  @Test(arguments: [1, 5] as [UInt32]) func onlyTheReadingOfTheSuspendedAccountEnds(suspended: UInt32) {
    var machine = Machine(endpoints: 1, hasUser: false, random: 0)
    #expect(machine.opened(1, hasPending: false) == [Self.read1])
    #expect(machine.opened(5, hasPending: false).isEmpty)
    let effects = machine.suspend(suspended, .vaultUnwritable, random: 0)
    let next = Machine.Effect.read(5, isFirst: true, records: 128)
    #expect(effects == (suspended == 1 ? [next, .wait(11.25)] : [.wait(11.25)]))
  }
}
