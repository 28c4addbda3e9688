internal import WatchwordReactor

/// The share of one thing in its uid's budget; given back at the latest when the thing is gone.
@ReactorActor
final class MemoryCharge {
  private let budget: MemoryBudget
  private let uid: UInt32
  private var bytes = 0

  init(_ budget: MemoryBudget, uid: UInt32) {
    self.budget = budget
    self.uid = uid
  }

  isolated deinit { giveBack() }

  /// False when the budget does not allow it; then nothing changes.
  func grow(by more: Int) -> Bool {
    guard budget.take(more, for: uid) else { return false }
    bytes += more
    return true
  }

  func giveBack() {
    budget.giveBack(bytes, of: uid)
    bytes = 0
  }
}
