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

  func take() -> (@ReactorActor () -> Void)? {
    defer { handler = nil }
    return handler
  }
}
