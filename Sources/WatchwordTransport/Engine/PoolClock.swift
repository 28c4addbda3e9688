internal import CTransport
internal import WatchwordCore
internal import WatchwordReactor

/// The pool's two timers: libcurl's own, and the one that detects exchanges without progress.
///
/// libcurl sets its timer several times in each exchange, mostly to the same distant connect timeout. A timer
/// that is early enough is kept and checks again when it fires.
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
    if let deadline = slot.inactivityDeadline { lookForInactivity(at: deadline) }
  }

  /// At this time, if not earlier.
  private func lookForInactivity(at deadline: Double) {
    guard deadline < clock.inactivityDeadline else { return }
    clock.inactivityTimer?.cancel()
    clock.inactivityDeadline = deadline
    clock.inactivityTimer = EventLoop.shared.schedule(after: deadline - EventLoop.shared.now) {
      self.lookForInactivity()
    }
  }

  /// One timer for all exchanges, so that a fetch does not pay for one. Hundreds may end together, which
  /// takes steps.
  private func lookForInactivity() {
    clock.inactivityTimer = nil
    clock.inactivityDeadline = .infinity
    for slot in active { slot.noteHeadActivity() }
    taker.forEach(overdue[...]) { slot in
      // It may have ended, or gone on, in the meantime.
      guard !self.isClosed, slot.isAttached else { return }
      slot.noteHeadActivity()
      guard slot.isOverdue else { return }
      slot.fail(.timedOut(slot.timeoutPhase))
      slot.endDeadConnection()
      self.complete(slot, CURLE_OPERATION_TIMEDOUT)
    } then: {
      guard !self.isClosed, let next = self.active.compactMap(\.inactivityDeadline).min() else { return }
      // At most this often, regardless of the exchanges' limits.
      self.lookForInactivity(at: max(next, EventLoop.shared.now + Self.inactivityResolutionSeconds))
    }
  }

  private var overdue: [TransferSlot] { active.filter(\.isOverdue) }

  private static let inactivityResolutionSeconds = 0.02
}

extension TransferSlot {
  fileprivate var isOverdue: Bool { inactivityDeadline.map { $0 <= EventLoop.shared.now } ?? false }
}
