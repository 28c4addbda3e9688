internal import CLinux

/// A watched descriptor. Level-triggered; never closes the descriptor; no event after `cancel`.
@ReactorActor
package final class Watch {
  package let descriptor: Int32
  let slot: Int
  let handler: @ReactorActor (Interest) -> Void
  /// Whose turn its handler takes; nil: it runs at once, whenever its descriptor is ready.
  let taker: TurnTaker?
  /// What its descriptor is ready for, while it waits for its turn.
  var pending = Interest.none
  private let loop: EventLoop
  package private(set) var isCancelled = false

  init(
    descriptor: Int32, slot: Int, interest: Interest, taker: TurnTaker?, loop: EventLoop,
    handler: @escaping @ReactorActor (Interest) -> Void
  ) {
    self.descriptor = descriptor
    self.slot = slot
    self.interest = interest
    self.taker = taker
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
