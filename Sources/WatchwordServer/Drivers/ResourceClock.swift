internal import WatchwordReactor

/// The time that a task may take altogether.
///
/// What it spends suspended, or waiting for the answer to a challenge, does not count.
@ReactorActor
struct ResourceClock {
  struct Pause: OptionSet {
    let rawValue: UInt8

    static let asking = Pause(rawValue: 1)
    static let suspended = Pause(rawValue: 2)
  }

  /// Seconds left when the clock last began to run; nil when there is no more need of it.
  private var left: Double?
  private var began = 0.0
  private var pauses: Pause = []
  private var timer: LoopTimer?
  private var onExpiry: (@ReactorActor () -> Void)?

  init(seconds: Double) { left = seconds }

  mutating func start(onExpiry: @escaping @ReactorActor () -> Void) {
    self.onExpiry = onExpiry
    run()
  }

  mutating func pause(_ reason: Pause) {
    if pauses.isEmpty, let running = left {
      left = max(0, running - (EventLoop.shared.now - began))
      timer?.cancel()
      timer = nil
    }
    pauses.insert(reason)
  }

  mutating func resume(_ reason: Pause) {
    if pauses.remove(reason) != nil, pauses.isEmpty { run() }
  }

  mutating func stop() {
    timer?.cancel()
    timer = nil
    left = nil
    onExpiry = nil
  }

  private mutating func run() {
    guard let left, let onExpiry else { return }
    began = EventLoop.shared.now
    timer = EventLoop.shared.schedule(after: left, onExpiry)
  }
}
