internal import CLinux

/// A watched descriptor. Level-triggered; never closes the descriptor; no event after `cancel`.
@ReactorActor
package final class Watch {
  package let descriptor: Int32
  let slot: Int
  let handler: @ReactorActor (Interest) -> Void
  private let loop: EventLoop
  package private(set) var isCancelled = false

  init(
    descriptor: Int32, slot: Int, interest: Interest, loop: EventLoop,
    handler: @escaping @ReactorActor (Interest) -> Void
  ) {
    self.descriptor = descriptor
    self.slot = slot
    self.interest = interest
    self.loop = loop
    self.handler = handler
  }

  package var interest: Interest {
    didSet { if interest != oldValue && !isCancelled { loop.changeInterest(of: self) } }
  }

  package func cancel() {
    guard !isCancelled else { return }
    isCancelled = true
    loop.forget(self)
  }
}
