/// Bytes that the daemon keeps for each uid, and their limit.
///
/// Limits on numbers are not enough: 1,024 requests of one connection with 1 MiB each are 1 GiB.
package struct ByteBudget: Sendable {
  /// Of one uid.
  package let limit: Int
  private var used: [UInt32: Int] = [:]
  /// Of all uids.
  package private(set) var total = 0

  package init(limit: Int) { self.limit = limit }

  package func used(by uid: UInt32) -> Int { used[uid] ?? 0 }

  /// Nothing more always has room, above the limit too: it may be what frees memory.
  package func hasRoom(for bytes: Int, of uid: UInt32) -> Bool {
    bytes == 0 || (bytes > 0 && bytes <= limit - used(by: uid))
  }

  /// Takes bytes; false, and nothing taken, if the uid would exceed the limit.
  package mutating func reserve(_ bytes: Int, for uid: UInt32) -> Bool {
    guard hasRoom(for: bytes, of: uid) else { return false }
    takeAnyway(bytes, for: uid)
    return true
  }

  /// Takes bytes that can no longer be refused; above the limit no others can be taken.
  package mutating func takeAnyway(_ bytes: Int, for uid: UInt32) {
    guard bytes > 0 else { return }
    used[uid, default: 0] += bytes
    total += bytes
  }

  package mutating func giveBack(_ bytes: Int, of uid: UInt32) {
    guard let place = used.index(forKey: uid) else { return }
    let present = used.values[place]
    let less = min(max(0, bytes), present)
    total -= less
    if less < present { used.values[place] = present - less } else { used.remove(at: place) }
  }
}
