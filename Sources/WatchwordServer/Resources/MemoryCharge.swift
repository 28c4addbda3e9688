internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordTransport

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

  // Not isolated: that would cost as much as all else that a charge does, and most have given back everything
  // by then.
  deinit {
    guard bytes > 0 else { return }
    guard EventLoop.shared.isOnLoop else {
      EventLoop.shared.post { [budget, bytes, uid] in budget.giveBack(bytes, of: uid) }
      return
    }
    assumeOnLoop { budget.giveBack(bytes, of: uid) }
  }

  /// For another thing of the same uid.
  func another() -> MemoryCharge { MemoryCharge(budget, uid: uid) }

  /// False when the budget does not allow it; then nothing changes.
  func grow(by more: Int) -> Bool {
    guard budget.reserve(more, for: uid) else { return false }
    bytes += more
    return true
  }

  /// For what costs no more than its refusal.
  func growAnyway(by more: Int) { follow(bytes + more) }

  /// False when the thing may not become so large; then nothing changes.
  func grow(to size: Int) -> Bool {
    if size <= bytes {
      follow(size)
      return true
    }
    return grow(by: size - bytes)
  }

  /// What was given back already counts no more.
  func shrink(by less: Int) { follow(max(0, bytes - less)) }

  /// Follows a thing that has changed its size already.
  func follow(_ size: Int) {
    if size > bytes {
      budget.takeAnyway(size - bytes, for: uid)
    } else if size < bytes {
      budget.giveBack(bytes - size, of: uid)
    }
    bytes = size
  }

  func giveBack() { follow(0) }
}

extension MemoryCharge: HeldMemory {}

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
  func reserve(_ bytes: Int, for uid: UInt32) -> Bool { budget.reserve(bytes, for: uid) }
  func takeAnyway(_ bytes: Int, for uid: UInt32) { budget.takeAnyway(bytes, for: uid) }
  func giveBack(_ bytes: Int, of uid: UInt32) { budget.giveBack(bytes, of: uid) }
}

/// The share of a thing that belongs to a connection: in the reserve, or, where that has no room, with the
/// rest.
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
