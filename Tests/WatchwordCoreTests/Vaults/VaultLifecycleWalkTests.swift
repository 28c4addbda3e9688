import Testing

@testable import WatchwordCore

/// Random orders of everything that can happen, with a driver that does what it is asked for, late or early.
struct VaultLifecycleWalkTests {
  /// What a driver has: one thread, the changes that wait, and who waits.
  private struct Driver {
    var lifecycle = VaultLifecycle()
    var changes = 0
    var later = 0
    var waiting: [VaultLifecycle.Waiter: Int] = [:]
    /// What is under way, in no order.
    var underWay: [VaultLifecycle.Effect] = []
    var writes = 0
    var written = 0
    var failed = 0
    var submitted = 0
    var isThreadBusy = false
    var hasFile = false
    var trace: [String] = []

    var surroundings: VaultLifecycle.Surroundings {
      VaultLifecycle.Surroundings(
        now: 0, isQueueEmpty: changes == 0, mustBeWritten: changes > 0, needsPassphrase: false)
    }

    mutating func take(
      _ event: (inout VaultLifecycle, VaultLifecycle.Surroundings) -> [VaultLifecycle.Effect]
    ) {
      perform(event(&lifecycle, surroundings))
    }

    mutating func perform(_ effects: [VaultLifecycle.Effect]) {
      trace.append("\(effects)")
      for effect in effects {
        switch effect {
        case .open, .wipe, .leave:
          #expect(!isThreadBusy, "one thing at a time: \(effect)")
          isThreadBusy = true
          if effect == .wipe || effect == .leave { hasFile = false }
          underWay.append(effect)
        case .hold(let keepsFile): hasFile = keepsFile
        case .schedule, .follow, .retry: underWay.append(effect)
        case .write: write()
        case .fail:
          failed += changes
          changes = 0
        case .takeLater: (changes, later) = (changes + later, 0)
        case .lookAgain: take { $0.lookAgain($1) }
        case .answer(let waiter, _):
          #expect(waiting.removeValue(forKey: waiter) != nil, "nobody waits: \(waiter)")
        case .abandon: hasFile = false
        case .drop, .report, .note: break
        }
      }
    }

    private mutating func write() {
      #expect(hasFile && !isThreadBusy && changes > 0)
      writes = changes
      changes = 0
      lifecycle.planned(isEmpty: false, surroundings)
      isThreadBusy = true
      underWay.append(.write)
    }

    mutating func wait(_ waiter: VaultLifecycle.Waiter, _ preparation: VaultLifecycle.Preparation) {
      guard case .waits(let effects) = preparation else { return }
      waiting[waiter, default: 0] += 1
      perform(effects)
    }

    mutating func submit() {
      guard !lifecycle.isClosed else { return }
      submitted += 1
      if lifecycle.putsChangesOff { later += 1 } else { changes += 1 }
      take { $0.schedule($1) }
    }

    mutating func finish(_ effect: VaultLifecycle.Effect, _ outcome: Int) {
      trace.append("done \(effect)")
      switch effect {
      case .open(let isMade):
        isThreadBusy = false
        let openings: [VaultLifecycle.Opening] = [
          .found, .found, isMade ? .found : .nothing, .failed(.unavailable("x"), isInUse: true),
          .failed(.damaged("x"), isInUse: false),
        ]
        take { $0.opened(openings[outcome % 5], isMade: isMade, mayWait: true, $1) }
      case .wipe:
        isThreadBusy = false
        take { (lifecycle, _) in lifecycle.wiped() }
      case .leave:
        isThreadBusy = false
        take { $0.left($1) }
      case .write:
        isThreadBusy = false
        let fault: VaultFault? =
          outcome % 11 == 0 ? .damaged("x") : outcome % 7 == 0 ? .unavailable("x") : nil
        if fault == nil { written += writes } else { failed += writes }
        take { (lifecycle, _) in lifecycle.wrote(fault) }
        take { $0.goOn($1) }
      case .schedule: take { $0.turnEnded($1) }
      case .follow: take { $0.sessionsFollowed($1) }
      case .retry: take { $0.retried($1) }
      case .hold, .drop, .fail, .takeLater, .lookAgain, .abandon, .answer, .report, .note: break
      }
    }
  }

  @Test func everyWaiterIsAnsweredAndNoChangeIsLost() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<2000 {
      var driver = Driver()
      driver.take { $0.started(Bool.random(using: &generator) ? .found : .nothing, $1) }
      for _ in 0..<40 {
        if let index = driver.underWay.indices.randomElement(using: &generator),
          Bool.random(using: &generator)
        {
          driver.finish(driver.underWay.remove(at: index), Int.random(in: 0..<100, using: &generator))
          continue
        }
        switch Int.random(in: 0..<16, using: &generator) {
        case 0..<5: driver.submit()
        case 5, 6: driver.wait(.opening, driver.lifecycle.prepare())
        case 7, 8: driver.wait(.reading, driver.lifecycle.read(at: 1e9))
        case 9, 10:
          driver.waiting[.wiping, default: 0] += 1
          driver.take { $0.forget($1) }
        case 11, 12: driver.take { (lifecycle, _) in lifecycle.lock(!lifecycle.isUnderLock) }
        case 13: driver.take { (lifecycle, _) in lifecycle.openAgain() }
        case 14: driver.lifecycle.trySoon()
        default:
          if Int.random(in: 0..<4, using: &generator) == 0 { driver.take { $0.close($1) } }
        }
      }
      // All comes to its end: the daemon stops, and nothing fails any more.
      driver.waiting[.release, default: 0] += 1
      driver.take { $0.awaitRelease($1) }
      driver.take { $0.close($1) }
      for _ in 0..<1000 where !driver.underWay.isEmpty { driver.finish(driver.underWay.removeFirst(), 1) }
      #expect(driver.underWay.isEmpty && !driver.hasFile, "\(driver.trace)")
      #expect(driver.waiting.isEmpty, "\(driver.waiting) \(driver.trace)")
      #expect(driver.changes == 0 && driver.later == 0)
      #expect(driver.written + driver.failed == driver.submitted)
    }
  }
}
