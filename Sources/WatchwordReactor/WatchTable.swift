internal import CLinux

/// Watches by slot. The kernel stores slot and generation with each descriptor, so that an event finds its
/// watch without a search, and a late one finds none.
struct WatchTable {
  private struct Slot {
    var watch: Watch?
    /// Counts the watches of the slot: an event of an old one must not reach the next.
    var generation: UInt32 = 0
  }

  private var slots: [Slot] = []
  private var freeSlots: [Int] = []
  /// The slot of the newest watch on each descriptor. The kernel forgets a closed descriptor; an older watch
  /// would change the kernel's entry of the next descriptor with this number.
  private var newest: [Int32: Int] = [:]

  mutating func reserve() -> Int {
    if let slot = freeSlots.popLast() { return slot }
    slots.append(Slot())
    return slots.count - 1
  }

  mutating func occupy(_ slot: Int, _ watch: Watch) {
    slots[slot].watch = watch
    newest[watch.descriptor] = slot
  }

  /// Whether the kernel's entry of this descriptor belongs to this watch.
  func isNewest(_ watch: Watch) -> Bool { newest[watch.descriptor] == watch.slot }

  mutating func free(_ watch: Watch) {
    if isNewest(watch) { newest[watch.descriptor] = nil }
    free(watch.slot)
  }

  mutating func free(_ slot: Int) {
    slots[slot].watch = nil
    slots[slot].generation &+= 1
    freeSlots.append(slot)
  }

  func token(_ slot: Int) -> UInt64 { UInt64(slot) << 32 | UInt64(slots[slot].generation) }

  func find(_ token: UInt64) -> Watch? {
    let slot = Int(token >> 32)
    guard slot < slots.count, slots[slot].generation == UInt32(truncatingIfNeeded: token) else { return nil }
    return slots[slot].watch
  }
}

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

/// The events that a descriptor is watched for, or has.
package struct Interest: OptionSet, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// `[]` is made by generic code in another module, at a hundred times the cost.
  package static let none: Interest = []
  package static let readable = Interest(rawValue: CLINUX_READABLE)
  package static let writable = Interest(rawValue: CLINUX_WRITABLE)
  /// Both directions have ended, or an error is pending; always reported.
  package static let hangUp = Interest(rawValue: CLINUX_HANG_UP)
}
