import Testing

@testable import WatchwordCore

/// Each test writes down what the driver is asked for, step by step.
struct VaultLifecycleTests {
  private typealias Lifecycle = VaultLifecycle
  private typealias Effects = [VaultLifecycle.Effect]

  private static func around(
    changes: Int = 0, mustBeWritten: Bool = true, needsPassphrase: Bool = false, at now: Double = 100
  ) -> Lifecycle.Surroundings {
    Lifecycle.Surroundings(
      now: now, isQueueEmpty: changes == 0, mustBeWritten: changes > 0 && mustBeWritten,
      needsPassphrase: needsPassphrase)
  }

  private static let quiet = around()

  private static func opened() -> Lifecycle {
    var lifecycle = Lifecycle()
    _ = lifecycle.started(.found, quiet)
    return lifecycle
  }

  // MARK: Opening

  @Test func theFirstRequestMakesTheVaultAndTheSecondOneWaitsForTheSame() {
    var lifecycle = Lifecycle()
    let started = lifecycle.started(.nothing, Self.quiet)
    #expect(started == [.drop, .note] && lifecycle.state == .none)
    let first = lifecycle.prepare()
    #expect(first == .waits([.open(isMade: true)]))
    let second = lifecycle.prepare()
    #expect(second == .waits([]))
    let opened = lifecycle.opened(.found, isMade: true, mayWait: true, Self.quiet)
    #expect(opened == [.hold(keepsFile: true), .answer(.opening, nil), .note])
    let ready = lifecycle.prepare()
    #expect(ready == .ready)
  }

  @Test func oneThatIsWantedWhileItIsOnlyLookedForIsMadeThen() {
    var lifecycle = Lifecycle()
    _ = lifecycle.started(.failed(.postponed, isInUse: false), Self.quiet)
    #expect(lifecycle.state == .forgotten && lifecycle.isBusy)
    let wanted = lifecycle.prepare()
    #expect(wanted == .waits([]))
    let opened = lifecycle.opened(.nothing, isMade: false, mayWait: true, Self.quiet)
    #expect(opened == [.drop, .open(isMade: true)])
  }

  @Test func aFaultIsReportedOnceAndTriedAgainAfterAGrowingTime() {
    let fault = VaultFault.damaged("it is no vault")
    var lifecycle = Lifecycle()
    let started = lifecycle.started(.failed(fault, isInUse: false), Self.quiet)
    #expect(started == [.report(fault), .note] && lifecycle.state == .unavailable)
    // At once after the start, then after two seconds and after four.
    for (wait, early) in [(0.0, -1.0), (2.0, 1.9), (4.0, 3.9)] {
      let base = 100.0
      if early >= 0 { #expect(!lifecycle.isToBeRead(at: base + early)) }
      let read = lifecycle.read(at: base + wait)
      #expect(read == .waits([.open(isMade: false)]))
      let again = lifecycle.opened(
        .failed(fault, isInUse: false), isMade: false, mayWait: true, Self.around(at: base))
      #expect(again == [.answer(.reading, nil), .note])
    }
    lifecycle.trySoon()
    #expect(lifecycle.isToBeRead(at: 0))
  }

  @Test func anotherDaemonIsWaitedForWhileSomebodyWaits() {
    let fault = VaultFault.unavailable("another daemon has it")
    var lifecycle = Lifecycle()
    _ = lifecycle.started(.failed(fault, isInUse: true), Self.quiet)
    _ = lifecycle.prepare()
    let opened = lifecycle.opened(.failed(fault, isInUse: true), isMade: true, mayWait: true, Self.quiet)
    #expect(opened == [.retry(0.02)])
    var tries = 1
    var effects = lifecycle.retried(Self.quiet)
    while effects == [.open(isMade: true)] {
      effects = lifecycle.opened(.failed(fault, isInUse: true), isMade: true, mayWait: true, Self.quiet)
      guard effects == [.retry(0.02)] else { break }
      effects = lifecycle.retried(Self.quiet)
      tries += 1
    }
    #expect(tries == 75)
    #expect(effects == [.answer(.opening, fault), .note])
    let other = lifecycle.openAgain()
    #expect(other == [.open(isMade: false)])
  }

  @Test func oneThatIsToBeMadeWithAPassphraseIsNotMadeWithoutItLater() {
    let fault = VaultFault.unavailable("another daemon has it")
    var lifecycle = Lifecycle()
    let made = lifecycle.make()
    #expect(made == .waits([.open(isMade: true)]))
    let opened = lifecycle.opened(.failed(fault, isInUse: true), isMade: true, mayWait: false, Self.quiet)
    #expect(opened == [.report(fault), .answer(.opening, fault), .note])
    let again = lifecycle.make()
    #expect(again == .refused(fault))
    var open = Self.opened()
    let second = open.make()
    #expect(second == .refused(.alreadyMade))
  }

  @Test func whatIsLockedOpensForNobody() {
    var lifecycle = Lifecycle()
    let started = lifecycle.started(.failed(.locked, isInUse: false), Self.quiet)
    #expect(started == [.report(.locked), .note] && lifecycle.state == .locked)
    let wanted = lifecycle.prepare()
    #expect(wanted == .refused(.locked))
    let read = lifecycle.read(at: 1e9)
    #expect(read == .ready)
    // Its passphrase was tried beside it.
    let tried = lifecycle.opened(.found, isMade: false, mayWait: false, Self.quiet)
    #expect(tried == [.hold(keepsFile: true), .note] && lifecycle.isOpen)
    var agent = Lifecycle()
    _ = agent.lock(true)
    let refused = agent.prepare()
    #expect(refused == .refused(.locked))
  }

  // MARK: Writing

  @Test func theNextTransactionWaitsForTheSessions() {
    var lifecycle = Self.opened()
    let come = lifecycle.schedule(Self.around(changes: 1))
    #expect(come == [.schedule])
    let more = lifecycle.schedule(Self.around(changes: 2))
    #expect(more == [])
    let ended = lifecycle.turnEnded(Self.around(changes: 2))
    #expect(ended == [.write, .lookAgain])
    lifecycle.planned(isEmpty: false, Self.quiet)
    let busy = lifecycle.schedule(Self.around(changes: 1))
    #expect(busy == [])
    let wrote = lifecycle.wrote(nil)
    #expect(wrote == [])
    let told = lifecycle.goOn(Self.around(changes: 1))
    #expect(told == [.follow])
    let early = lifecycle.schedule(Self.around(changes: 1))
    #expect(early == [])
    let followed = lifecycle.sessionsFollowed(Self.around(changes: 1))
    #expect(followed == [.schedule])
  }

  @Test func aDamagedFileIsLeftAndAFullDiskIsNot() {
    let outcomes: [(VaultFault, Effects)] = [(.damaged("x"), [.abandon]), (.unavailable("full"), [])]
    for (fault, effects) in outcomes {
      var lifecycle = Self.opened()
      _ = lifecycle.schedule(Self.around(changes: 1))
      _ = lifecycle.turnEnded(Self.around(changes: 1))
      lifecycle.planned(isEmpty: false, Self.quiet)
      let wrote = lifecycle.wrote(fault)
      #expect(wrote == effects && lifecycle.isOpen == effects.isEmpty)
    }
  }

  @Test func changesWithoutAVaultFailWithTheReason() {
    let fault = VaultFault.unavailable("the disk")
    var lifecycle = Lifecycle()
    _ = lifecycle.started(.failed(fault, isInUse: false), Self.quiet)
    _ = lifecycle.schedule(Self.around(changes: 1))
    let ended = lifecycle.turnEnded(Self.around(changes: 1))
    #expect(ended == [.fail(fault), .lookAgain])
  }

  // MARK: Wiping

  @Test func whatHasComeIsWrittenBeforeTheWipingAndWhatComesLaterAfterIt() {
    var lifecycle = Self.opened()
    #expect(!lifecycle.putsChangesOff)
    let asked = lifecycle.forget(Self.around(changes: 1))
    #expect(asked == [.schedule] && lifecycle.putsChangesOff)
    let ended = lifecycle.turnEnded(Self.around(changes: 1))
    #expect(ended == [.write, .lookAgain])
    lifecycle.planned(isEmpty: false, Self.quiet)
    _ = lifecycle.wrote(nil)
    // Counts of uses have come meanwhile: they may be missing.
    let told = lifecycle.goOn(Self.around(changes: 1, mustBeWritten: false))
    #expect(told == [.follow, .fail(Lifecycle.wasWiped), .wipe] && lifecycle.state == .forgotten)
    // Also while the file is left: what is queued then would be lost with what was wiped.
    #expect(lifecycle.putsChangesOff)
    let wiped = lifecycle.wiped()
    #expect(wiped == [.takeLater, .note, .answer(.wiping, nil), .lookAgain])
    #expect(!lifecycle.putsChangesOff)
    // The sessions still follow what was written.
    let looked = lifecycle.lookAgain(Self.around(changes: 1))
    #expect(looked == [])
    let followed = lifecycle.sessionsFollowed(Self.around(changes: 1))
    #expect(followed == [.schedule])
    let next = lifecycle.turnEnded(Self.around(changes: 1))
    #expect(next == [.open(isMade: false), .lookAgain])
  }

  @Test func whatWasTakenBackIsWrittenBeforeTheWiping() {
    var lifecycle = Self.opened()
    _ = lifecycle.forget(Self.around(changes: 1))
    _ = lifecycle.turnEnded(Self.around(changes: 1))
    lifecycle.planned(isEmpty: false, Self.quiet)
    _ = lifecycle.wrote(nil)
    let told = lifecycle.goOn(Self.around(changes: 1))
    #expect(told == [.follow])
    let followed = lifecycle.sessionsFollowed(Self.around(changes: 1))
    #expect(followed == [.schedule])
  }

  @Test func aVaultThatOnlyAPassphraseOpensIsLockedByTheWiping() {
    var lifecycle = Self.opened()
    let asked = lifecycle.forget(Self.around(needsPassphrase: true))
    #expect(asked == [.fail(Lifecycle.wasWiped), .wipe] && lifecycle.state == .locked)
    _ = lifecycle.lock(true)
    _ = lifecycle.wiped()
    let looked = lifecycle.lookAgain(Self.quiet)
    #expect(looked == [])
    // Nothing is in memory: it is done at once.
    let again = lifecycle.forget(Self.quiet)
    #expect(again == [.takeLater, .answer(.wiping, nil), .lookAgain])
  }

  @Test func whoWantsItDuringTheWipingIsServedAfterItOrRefusedWhereTheAgentIsLocked() {
    for isLocked in [false, true] {
      var lifecycle = Self.opened()
      _ = lifecycle.forget(Self.quiet)
      let wanted = lifecycle.prepare()
      #expect(wanted == .waits([]))
      let read = lifecycle.read(at: 0)
      #expect(read == .waits([]))
      if isLocked { _ = lifecycle.lock(true) }
      _ = lifecycle.wiped()
      let next: Effects =
        isLocked ? [.answer(.opening, .locked), .answer(.reading, nil)] : [.open(isMade: true)]
      let looked = lifecycle.lookAgain(Self.quiet)
      #expect(looked == next)
    }
  }

  // MARK: Leaving

  @Test func theFileIsLeftWhenEverythingIsWritten() {
    var lifecycle = Self.opened()
    let closed = lifecycle.close(Self.around(changes: 1))
    #expect(closed == [.note, .write, .lookAgain])
    lifecycle.planned(isEmpty: false, Self.quiet)
    let looked = lifecycle.lookAgain(Self.quiet)
    #expect(looked == [])
    let release = lifecycle.awaitRelease(Self.quiet)
    #expect(release == [])
    _ = lifecycle.wrote(nil)
    let told = lifecycle.goOn(Self.quiet)
    #expect(told == [.follow, .leave])
    let left = lifecycle.left(Self.quiet)
    #expect(left == [.answer(.release, nil)])
    let refused = lifecycle.prepare()
    #expect(refused == .refused(Lifecycle.isStopping))
  }

  @Test func whatCannotBeWrittenAtTheEndFailsAndTheEndComes() {
    var lifecycle = Lifecycle()
    _ = lifecycle.started(.nothing, Self.quiet)
    _ = lifecycle.awaitRelease(Self.around(changes: 1))
    let closed = lifecycle.close(Self.around(changes: 1))
    #expect(closed == [.note, .fail(.unavailable("no vault is open")), .lookAgain])
    let looked = lifecycle.lookAgain(Self.quiet)
    #expect(looked == [.answer(.release, nil)])
  }

  @Test func whatIsFoundAtTheEndIsNotKeptOpen() {
    var lifecycle = Lifecycle()
    _ = lifecycle.prepare()
    _ = lifecycle.close(Self.quiet)
    let opened = lifecycle.opened(.found, isMade: true, mayWait: true, Self.quiet)
    #expect(opened == [.hold(keepsFile: false), .answer(.opening, Lifecycle.isStopping), .note])
    #expect(!lifecycle.isOpen)
  }
}
