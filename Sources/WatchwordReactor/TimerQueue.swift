/// The timers of a loop, the earliest first; timers of the same instant in the order of their creation.
///
/// Cancelled timers stay until they are due or make up half of the heap.
@ReactorActor
final class TimerQueue {
  /// A timer and its place in the order, which is compared without a look at the timer.
  private struct Entry {
    let deadline: Double
    let order: UInt64
    let timer: LoopTimer

    static func isEarlier(_ left: Entry, _ right: Entry) -> Bool {
      left.deadline == right.deadline ? left.order < right.order : left.deadline < right.deadline
    }
  }

  private var heap = Heap<Entry>()
  private var cancelled = 0
  /// The newest timer's number in the order of creation.
  private(set) var lastOrder: UInt64 = 0

  nonisolated init() {}

  /// When the next timer is due; removes cancelled ones in front.
  var next: Double? {
    while let first = heap.elements.first, first.timer.handler == nil {
      _ = heap.removeFirst(by: Entry.isEarlier)
      cancelled -= 1
    }
    return heap.elements.first?.deadline
  }

  func add(at deadline: Double, _ handler: @escaping @ReactorActor () -> Void) -> LoopTimer {
    lastOrder += 1
    let timer = LoopTimer(queue: self, handler: handler)
    heap.insert(Entry(deadline: deadline, order: lastOrder, timer: timer), by: Entry.isEarlier)
    return timer
  }

  /// The next handler that is due at `now` and not newer than `newest`.
  func takeDue(_ now: Double, notAfter newest: UInt64) -> (@ReactorActor () -> Void)? {
    guard let next, next <= now, let first = heap.elements.first, first.order <= newest else { return nil }
    _ = heap.removeFirst(by: Entry.isEarlier)
    return first.timer.takeHandler()
  }

  func noteCancelled() {
    cancelled += 1
    // Amortised: at least half of the timers to be sorted again have been removed.
    guard cancelled > 64, cancelled * 2 > heap.elements.count else { return }
    heap = Heap(sorted: heap.elements.filter { $0.timer.handler != nil }.sorted(by: Entry.isEarlier))
    cancelled = 0
  }
}

/// A handler that runs at a time. It does not run after `cancel`.
@ReactorActor
package final class LoopTimer {
  private(set) var handler: (@ReactorActor () -> Void)?
  private let queue: TimerQueue

  init(queue: TimerQueue, handler: @escaping @ReactorActor () -> Void) {
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
