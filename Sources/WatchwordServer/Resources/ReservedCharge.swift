internal import WatchwordReactor

/// The share of a thing that belongs to a connection: in the reserve, or, where that has no room, with the rest.
@ReactorActor
final class ReservedCharge {
  private let inReserve: MemoryCharge
  private let elsewhere: MemoryCharge

  init(_ reserve: MemoryBudget, or budget: MemoryBudget, uid: UInt32) {
    inReserve = MemoryCharge(reserve, uid: uid)
    elsewhere = MemoryCharge(budget, uid: uid)
  }

  /// False when neither allows it; then nothing changes.
  func grow(to size: Int) -> Bool {
    if inReserve.grow(to: size) {
      elsewhere.giveBack()
      return true
    }
    guard elsewhere.grow(to: size) else { return false }
    inReserve.giveBack()
    return true
  }

  /// For what costs no more than its refusal.
  func follow(_ size: Int) {
    elsewhere.giveBack()
    inReserve.follow(size)
  }

  func giveBack() { follow(0) }
}
