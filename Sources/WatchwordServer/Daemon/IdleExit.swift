internal import Logging
internal import WatchwordCore
internal import WatchwordReactor

/// The end of a daemon that was started on demand and is unused.
@ReactorActor
final class IdleExit {
  private let seconds: Double?
  private unowned let daemon: Daemon
  private var timer: LoopTimer?
  /// The daemon is idle, and ends when the fleet's store has its last change.
  private var awaitsFleet = false

  /// - Parameter seconds: unused, until it ends; nil: it stays.
  init(after seconds: Double?, of daemon: Daemon) {
    self.seconds = seconds
    self.daemon = daemon
  }

  /// The daemon is unused from now on, or still is: it has been since the timer was set.
  func begin() {
    guard let seconds, timer == nil else { return }
    timer = EventLoop.shared.schedule(after: seconds) { [unowned self] in
      guard hasUnwritten else { return end() }
      awaitsFleet = true
      timer = EventLoop.shared.schedule(after: Limits.fleetWriteSeconds) { [unowned self] in end() }
    }
  }

  /// The daemon is used.
  func cancel() {
    timer?.cancel()
    timer = nil
    awaitsFleet = false
  }

  func synchronizationChanged() {
    if awaitsFleet, !hasUnwritten { end() }
  }

  /// Whether the fleet's store lacks a change.
  private var hasUnwritten: Bool { daemon.synchronizer?.machine.hasPending ?? false }

  private func end() {
    cancel()
    daemon.acceptWaiting()
    guard !daemon.isUsed else { return }
    daemon.logger.info("idle")
    daemon.stop(isGraceful: true)
  }
}
