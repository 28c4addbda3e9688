internal import CTransport
internal import WatchwordCore
internal import WatchwordReactor

/// The pool's two timers: libcurl's own, and the one that detects exchanges without progress.
///
/// libcurl sets its timer several times in each exchange, mostly to the same distant connect timeout. A timer that is
/// early enough is kept and checks again when it fires.
@ReactorActor
struct PoolClock {
  var deadline = Double.infinity
  var timer: LoopTimer?
  var timerDeadline = Double.infinity
  /// A run is scheduled for the next step.
  var isKicked = false
  var spin = SpinGuard()

  var inactivityTimer: LoopTimer?
  var inactivityDeadline = Double.infinity

  mutating func cancel() {
    timer?.cancel()
    inactivityTimer?.cancel()
    self = PoolClock()
  }
}

extension ConnectionPool {
  /// libcurl's `CURLMOPT_TIMERFUNCTION`; -1 stands for no timer.
  func setTimer(_ milliseconds: Int) {
    if milliseconds == 0, !isInside {
      // A new exchange.
      kick()
      return
    }
    // When set inside a run, 0 means the next turn, so that other work runs in between.
    let isVain = milliseconds == 0 && clock.spin.isSpinning(progress)
    let seconds = isVain ? SpinGuard.restSeconds : Double(milliseconds) / 1000
    clock.deadline = milliseconds < 0 ? .infinity : EventLoop.shared.now + seconds
    armTimer()
  }

  private func kick() {
    guard !clock.isKicked else { return }
    clock.isKicked = true
    taker.add {
      self.clock.isKicked = false
      self.drive(CURL_SOCKET_TIMEOUT, 0)
    }
  }

  private func armTimer() {
    guard clock.deadline < clock.timerDeadline else { return }
    clock.timer?.cancel()
    clock.timerDeadline = clock.deadline
    clock.timer = EventLoop.shared.schedule(after: clock.deadline - EventLoop.shared.now) {
      self.timerFired()
    }
  }

  private func timerFired() {
    clock.timer = nil
    clock.timerDeadline = .infinity
    if clock.deadline <= EventLoop.shared.now {
      clock.deadline = .infinity
      kick()
    } else {
      armTimer()
    }
  }

  // MARK: Inactivity

  /// Makes sure that the exchange is checked when its time has passed.
  func watchInactivity(of slot: TransferSlot) {
    guard let deadline = slot.inactivityDeadline, deadline < clock.inactivityDeadline else { return }
    clock.inactivityTimer?.cancel()
    clock.inactivityDeadline = deadline
    clock.inactivityTimer = EventLoop.shared.schedule(after: deadline - EventLoop.shared.now) {
      self.lookForInactivity()
    }
  }

  /// One timer for all exchanges, so that a fetch does not pay for one.
  private func lookForInactivity() {
    clock.inactivityTimer = nil
    clock.inactivityDeadline = .infinity
    let now = EventLoop.shared.now
    for slot in active { slot.noteHeadActivity() }
    for slot in active where slot.inactivityDeadline.map({ $0 <= now }) ?? false {
      guard !isClosed, slot.isAttached else { continue }
      slot.fail(.timedOut(slot.timeoutPhase))
      slot.endDeadConnection()
      complete(slot, CURLE_OPERATION_TIMEDOUT)
    }
    guard !isClosed, let next = active.compactMap(\.inactivityDeadline).min() else { return }
    // At most this often, regardless of the exchanges' limits.
    let wait = max(next - now, Self.inactivityResolutionSeconds)
    clock.inactivityDeadline = now + wait
    clock.inactivityTimer = EventLoop.shared.schedule(after: wait) {
      self.lookForInactivity()
    }
  }

  private static let inactivityResolutionSeconds = 0.02
}
