internal import CLinux

/// What a descriptor is watched for, or found to be.
package struct Interest: OptionSet, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  package static let readable = Interest(rawValue: CLINUX_READABLE)
  package static let writable = Interest(rawValue: CLINUX_WRITABLE)
  /// Both directions are over, or an error waits; reported whether asked for or not.
  package static let hangUp = Interest(rawValue: CLINUX_HANG_UP)
}

package enum ReactorError: Error, Sendable, Equatable {
  case system(operation: String, errno: Int32)
}

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
