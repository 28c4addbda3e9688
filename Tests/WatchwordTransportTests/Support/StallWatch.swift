import Glibc
import WatchwordReactor

/// How long the loop was stopped at most: by another test that mints something on it, or by a busy machine.
@ReactorActor
final class StallWatch {
  private static let interval = 0.05
  private var last = StallWatch.seconds()
  private var longest = 0.0
  private var timer: LoopTimer?

  init() { look() }

  private func look() {
    let now = StallWatch.seconds()
    longest = max(longest, now - last)
    last = now
    timer = EventLoop.shared.schedule(after: StallWatch.interval) { [weak self] in self?.look() }
  }

  private func stop() -> Double {
    timer?.cancel()
    return max(longest, StallWatch.seconds() - last)
  }

  private static func seconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The outcome of a test of time in an attempt during which the loop was never stopped for as long as `seconds`: only then
  /// does it tell something. The tenth attempt counts in any case.
  static func untroubled<Outcome>(by seconds: Double, _ body: @ReactorActor () async throws -> Outcome)
    async throws
    -> Outcome
  {
    for _ in 1..<10 {
      let watch = StallWatch()
      let outcome = try await body()
      if watch.stop() < seconds { return outcome }
    }
    return try await body()
  }
}
