internal import WatchwordCore
internal import WatchwordReactor

/// The memory of each uid that a limit on numbers alone cannot bound; ``HeldBytes`` says what things take.
@ReactorActor
final class MemoryBudget {
  private var budget: ByteBudget

  /// - Parameter limit: of one uid.
  nonisolated init(limit: Int) { budget = ByteBudget(limit: limit) }

  /// Of all uids.
  var total: Int { budget.total }
  func used(by uid: UInt32) -> Int { budget.used(by: uid) }

  func hasRoom(for bytes: Int, of uid: UInt32) -> Bool { budget.hasRoom(for: bytes, of: uid) }
  func take(_ bytes: Int, for uid: UInt32) -> Bool { budget.take(bytes, for: uid) }
  func takeAnyway(_ bytes: Int, for uid: UInt32) { budget.takeAnyway(bytes, for: uid) }
  func giveBack(_ bytes: Int, of uid: UInt32) { budget.giveBack(bytes, of: uid) }
}
