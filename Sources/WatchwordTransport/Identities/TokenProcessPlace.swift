/// One of the limited number of token processes; freed with the last reference.
final class TokenProcessPlace: Sendable {
  private let counts: TokenProcessCounts
  private let uid: UInt32

  init(_ counts: TokenProcessCounts, _ uid: UInt32) {
    self.counts = counts
    self.uid = uid
    counts.add(1, for: uid)
  }

  deinit { counts.add(-1, for: uid) }
}
