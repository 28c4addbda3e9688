internal import WatchwordPrimitives
internal import WatchwordReactor

/// How many processes hold a key for each uid; usable from every thread.
final class TokenProcessCounts: Sendable {
  private let counts = Locked<[UInt32: Int]>([:])

  var all: Int { counts.withLock { $0.values.reduce(0, +) } }
  func count(of uid: UInt32) -> Int { counts.withLock { $0[uid] ?? 0 } }

  func add(_ change: Int, for uid: UInt32) {
    counts.withLock {
      let count = ($0[uid] ?? 0) + change
      $0[uid] = count > 0 ? count : nil
    }
  }
}
