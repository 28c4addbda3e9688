import Testing

@testable import WatchwordCore

/// What the machine remembers of before: who held the vault, and whether a transaction was the last one.
struct VaultLifecycleMemoryTests {
  private typealias Lifecycle = VaultLifecycle

  private static func around(changes: Int = 0, mustBeWritten: Bool = false) -> Lifecycle.Surroundings {
    Lifecycle.Surroundings(
      now: 100, isQueueEmpty: changes == 0, mustBeWritten: changes > 0 && mustBeWritten,
      needsPassphrase: false)
  }

  private static let quiet = around()
  private static let held = VaultFault.unavailable("another daemon has it")

  private static func opened() -> Lifecycle {
    var lifecycle = Lifecycle()
    _ = lifecycle.started(.found, quiet)
    return lifecycle
  }

  // MARK: Before and at the start

  @Test func aNewOneHasNoVaultAndNoFault() {
    let lifecycle = Lifecycle()
    #expect(lifecycle.state == .none && lifecycle.fault == nil)
    #expect(!lifecycle.isOpen && !lifecycle.isForgotten && !lifecycle.isBusy && !lifecycle.isClosed)
    #expect(!lifecycle.isUnderLock && !lifecycle.putsChangesOff && !lifecycle.isToBeRead(at: 1e9))
  }

  @Test func aKeyThatIsPostponedIsAskedForAndNothingIsMade() {
    var lifecycle = Lifecycle()
    let started = lifecycle.started(.failed(.postponed, isInUse: false), Self.quiet)
    #expect(started == [.note, .open(isMade: false)])
  }

  @Test func whoCameBeforeTheStartIsServedByItsResult() {
    var lifecycle = Lifecycle()
    _ = lifecycle.prepare()
    let made = lifecycle.started(.nothing, Self.quiet)
    #expect(made == [.drop, .open(isMade: true)])
    lifecycle = Lifecycle()
    _ = lifecycle.prepare()
    let refused = lifecycle.started(.failed(Self.held, isInUse: true), Self.quiet)
    #expect(refused == [.report(Self.held), .answer(.opening, Self.held), .note])
  }

  /// A collection of the Secret Service that is locked waits for its user; one that does not answer is at fault.
  @Test(arguments: [(true, VaultLifecycle.State.locked), (false, .unavailable)])
  func aLockedCollectionIsALockedVault(isLocked: Bool, state: VaultLifecycle.State) {
    var lifecycle = Lifecycle()
    _ = lifecycle.started(.failed(.keyring("k", isLocked: isLocked), isInUse: false), Self.quiet)
    #expect(lifecycle.state == state && lifecycle.isWithoutKey && !lifecycle.isLocked)
  }

  /// What is removed from a locked vault would be there again.
  @Test func nothingIsRemovedFromALockedVault() {
    let faults: [(VaultFault, isRefused: Bool)] = [
      (.locked, true), (.keyring("k", isLocked: true), true), (.keyring("k", isLocked: false), true),
      (.damaged("d"), false), (.unavailable("u"), false),
    ]
    for (fault, isRefused) in faults {
      var lifecycle = Lifecycle()
      _ = lifecycle.started(.failed(fault, isInUse: false), Self.quiet)
      #expect(lifecycle.removalFault == (isRefused ? fault : nil))
    }
    #expect(Self.opened().removalFault == nil)
  }

  // MARK: Another daemon

  @Test func onlyAVaultThatWasHeldIsOpenedWhenADaemonHasEnded() {
    var fresh = Lifecycle()
    let unasked = fresh.openAgain()
    #expect(unasked == [])
    var lifecycle = Lifecycle()
    _ = lifecycle.started(.failed(Self.held, isInUse: true), Self.quiet)
    _ = lifecycle.lock(true)
    let underLock = lifecycle.openAgain()
    #expect(underLock == [])
    _ = lifecycle.lock(false)
    let again = lifecycle.openAgain()
    #expect(again == [.open(isMade: false)])
    _ = lifecycle.opened(.nothing, isMade: false, mayWait: true, Self.quiet)
    let gone = lifecycle.openAgain()
    #expect(gone == [])
  }

  @Test func oneThatWasFoundIsNotHeldByAnotherAnyMore() {
    var lifecycle = Lifecycle()
    _ = lifecycle.started(.failed(Self.held, isInUse: true), Self.quiet)
    _ = lifecycle.openAgain()
    _ = lifecycle.opened(.found, isMade: false, mayWait: true, Self.quiet)
    let open = lifecycle.openAgain()
    #expect(open == [])
    _ = lifecycle.forget(Self.quiet)
    _ = lifecycle.wiped()
    let wiped = lifecycle.openAgain()
    #expect(wiped == [] && lifecycle.state == .forgotten)
  }

  // MARK: The last transaction before the wiping

  @Test func countsOfUsesAreWrittenOnceBeforeTheWiping() {
    var lifecycle = Self.opened()
    let asked = lifecycle.forget(Self.around(changes: 1))
    #expect(asked == [.schedule] && lifecycle.isOpen)
  }

  @Test(arguments: [0, 1]) func aTransactionIsTheLastOneOnlyWithNothingBehindIt(left: Int) {
    var lifecycle = Self.opened()
    _ = lifecycle.forget(Self.around(changes: 1))
    _ = lifecycle.turnEnded(Self.around(changes: 1))
    lifecycle.planned(isEmpty: false, Self.around(changes: left))
    _ = lifecycle.wrote(nil)
    let told = lifecycle.goOn(Self.around(changes: 1))
    #expect(told == (left == 0 ? [.follow, .fail(Lifecycle.wasWiped), .wipe] : [.follow]))
  }

  @Test func aTransactionBeforeTheWipingWasAskedForIsNotTheLastOne() {
    var lifecycle = Self.opened()
    _ = lifecycle.schedule(Self.around(changes: 1))
    _ = lifecycle.turnEnded(Self.around(changes: 1))
    lifecycle.planned(isEmpty: false, Self.quiet)
    let asked = lifecycle.forget(Self.around(changes: 1))
    #expect(asked == [])
    _ = lifecycle.wrote(nil)
    let told = lifecycle.goOn(Self.around(changes: 1))
    #expect(told == [.follow] && lifecycle.isOpen)
  }

  @Test func afterOneWipingTheNextOneWaitsForWhatHasComeAgain() {
    var lifecycle = Self.opened()
    _ = lifecycle.forget(Self.around(changes: 1))
    _ = lifecycle.turnEnded(Self.around(changes: 1))
    lifecycle.planned(isEmpty: false, Self.quiet)
    _ = lifecycle.wrote(nil)
    let first = lifecycle.goOn(Self.around(changes: 1))
    #expect(first == [.follow, .fail(Lifecycle.wasWiped), .wipe])
    _ = lifecycle.wiped()
    _ = lifecycle.sessionsFollowed(Self.quiet)
    _ = lifecycle.read(at: 100)
    _ = lifecycle.opened(.found, isMade: false, mayWait: true, Self.quiet)
    let second = lifecycle.forget(Self.around(changes: 1))
    #expect(second == [.schedule] && lifecycle.isOpen)
  }
}
