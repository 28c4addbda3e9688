/// The timers of a loop, the earliest first; timers of the same instant in the order of their creation.
///
/// Cancelled timers stay until they are due or make up half of the heap.
@ReactorActor
final class TimerQueue {
  private var heap = Heap<LoopTimer>()
  private var cancelled = 0
  /// The newest timer's number in the order of creation.
  private(set) var lastOrder: UInt64 = 0

  nonisolated init() {}

  /// When the next timer is due; removes cancelled ones in front.
  var next: Double? {
    while let first = heap.elements.first, first.handler == nil {
      _ = heap.removeFirst(by: TimerQueue.isEarlier)
      cancelled -= 1
    }
    return heap.elements.first?.deadline
  }

  func add(at deadline: Double, _ handler: @escaping @ReactorActor () -> Void) -> LoopTimer {
    lastOrder += 1
    let timer = LoopTimer(deadline: deadline, order: lastOrder, queue: self, handler: handler)
    heap.insert(timer, by: TimerQueue.isEarlier)
    return timer
  }

  /// The next handler that is due at `now` and not newer than `newest`.
  func takeDue(_ now: Double, notAfter newest: UInt64) -> (@ReactorActor () -> Void)? {
    guard let next, next <= now, let first = heap.elements.first, first.order <= newest else { return nil }
    _ = heap.removeFirst(by: TimerQueue.isEarlier)
    return first.takeHandler()
  }

  func noteCancelled() {
    cancelled += 1
    // Amortised: at least half of the timers to be sorted again have been removed.
    guard cancelled > 64, cancelled * 2 > heap.elements.count else { return }
    heap = Heap(sorted: heap.elements.filter { $0.handler != nil }.sorted(by: TimerQueue.isEarlier))
    cancelled = 0
  }

  private static func isEarlier(_ left: LoopTimer, _ right: LoopTimer) -> Bool {
    left.deadline == right.deadline ? left.order < right.order : left.deadline < right.deadline
  }
}

/// A handler that runs at a time. It does not run after `cancel`.
@ReactorActor
package final class LoopTimer {
  let deadline: Double
  let order: UInt64
  private(set) var handler: (@ReactorActor () -> Void)?
  private let queue: TimerQueue

  init(deadline: Double, order: UInt64, queue: TimerQueue, handler: @escaping @ReactorActor () -> Void) {
    self.deadline = deadline
    self.order = order
    self.queue = queue
    self.handler = handler
  }

  package func cancel() {
    guard handler != nil else { return }
    handler = nil
    queue.noteCancelled()
  }

  func takeHandler() -> (@ReactorActor () -> Void)? {
    defer { handler = nil }
    return handler
  }
}
