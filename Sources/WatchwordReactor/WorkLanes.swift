/// Blocking work for many, some of whom may hang: the work of each takes a part of the threads, so that it delays no other's.
@ReactorActor
package final class WorkLanes {
  private let pool: BlockingPool
  /// Pieces of work that may run at the same time for one.
  private let width: Int
  /// Those who have work.
  private var lanes: [UInt64: Lane] = [:]

  /// In the order in which it was submitted; what is before `next` has begun.
  private struct Lane {
    var running = 0
    var waiting: [(@ReactorActor () -> Void)?] = []
    var next = 0

    mutating func take() -> (@ReactorActor () -> Void)? {
      guard next < waiting.count else { return nil }
      let first = waiting[next].take()
      next += 1
      // Moves at most as many items as have been taken since the last time.
      if next * 2 >= waiting.count {
        waiting.removeFirst(next)
        next = 0
      }
      return first
    }
  }

  /// - Parameter threads: of all together.
  package nonisolated init(threads: Int, width: Int) {
    pool = BlockingPool(threads: threads)
    self.width = max(1, width)
  }

  /// Runs `work` on a thread, when those of the same lane before it have begun, and passes the result to `then` on the loop.
  package func submit<Result: Sendable>(
    in key: UInt64, _ work: @escaping @Sendable () -> Result,
    then: @escaping @ReactorActor (Result) -> Void
  ) {
    let begin: @ReactorActor () -> Void = { [self] in
      pool.submit(work) { [self] result in
        ended(key)
        then(result)
      }
    }
    guard lanes[key, default: Lane()].running < width else {
      lanes[key]?.waiting.append(begin)
      return
    }
    lanes[key, default: Lane()].running += 1
    begin()
  }

  private func ended(_ key: UInt64) {
    if let begin = lanes[key]?.take() { return begin() }
    lanes[key]?.running -= 1
    if lanes[key]?.running == 0 { lanes[key] = nil }
  }
}
