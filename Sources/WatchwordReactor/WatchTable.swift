/// Watches by slot. The kernel keeps slot and generation with each descriptor, so that an event finds its watch
/// without a search, and one that is late finds none.
struct WatchTable {
  private struct Slot {
    var watch: Watch?
    /// Counts the watches that the slot has had: an event of an old one must not reach the next.
    var generation: UInt32 = 0
  }

  private var slots: [Slot] = []
  private var freeSlots: [Int] = []

  mutating func reserve() -> Int {
    if let slot = freeSlots.popLast() { return slot }
    slots.append(Slot())
    return slots.count - 1
  }

  mutating func occupy(_ slot: Int, _ watch: Watch) { slots[slot].watch = watch }

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
