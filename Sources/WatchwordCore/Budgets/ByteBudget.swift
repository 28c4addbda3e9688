/// Bytes that the daemon keeps for each uid, and how many it may keep.
///
/// Bounds in number are not enough: 1,024 requests of one connection with 1 MiB each are 1 GiB.
package struct ByteBudget: Sendable {
  /// Of one uid.
  package let limit: Int
  private var used: [UInt32: Int] = [:]

  package init(limit: Int) { self.limit = limit }

  package func used(by uid: UInt32) -> Int { used[uid] ?? 0 }

  /// False, and nothing taken, when the uid would have more than the limit.
  package mutating func take(_ bytes: Int, for uid: UInt32) -> Bool {
    let before = used(by: uid)
    guard bytes >= 0, bytes <= limit - before else { return false }
    if bytes > 0 { used[uid] = before + bytes }
    return true
  }

  package mutating func giveBack(_ bytes: Int, of uid: UInt32) {
    let left = used(by: uid) - bytes
    used[uid] = left > 0 ? left : nil
  }
}
