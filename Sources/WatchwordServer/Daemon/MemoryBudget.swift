internal import WatchwordCore
internal import WatchwordReactor

/// What the daemon keeps in memory for each uid, and cannot be bounded by number alone: request bodies, replies that
/// are collected, configurations of sessions.
@ReactorActor
final class MemoryBudget {
  private var budget = ByteBudget(limit: Limits.bytesPerUID)

  nonisolated init() {}

  func used(by uid: UInt32) -> Int { budget.used(by: uid) }

  fileprivate func take(_ bytes: Int, for uid: UInt32) -> Bool { budget.take(bytes, for: uid) }
  fileprivate func giveBack(_ bytes: Int, of uid: UInt32) { budget.giveBack(bytes, of: uid) }
}

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
