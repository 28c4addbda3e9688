internal import WatchwordReactor

/// Descriptors that have come and wait for the message that uses them.
///
/// They travel with the first byte of their message, so that those of a message have come before its last byte
/// has; what it does not claim is closed with it.
struct IncomingDescriptors {
  private var groups: [(descriptors: [Int32], end: Int)] = []

  /// Takes over descriptors that came with bytes up to `end` of the stream; false when there are too many.
  mutating func add(_ descriptors: some Sequence<Int32>, endingAt end: Int) -> Bool {
    let new = Array(descriptors)
    guard !new.isEmpty else { return true }
    groups.append((new, end))
    return groups.reduce(0) { $0 + $1.descriptors.count } <= Limits.unclaimedDescriptors
  }

  /// The next `count`, which the caller owns then; nil, and nothing is taken, when there are not so many.
  mutating func claim(_ count: Int, endingBy end: Int) -> [Int32]? {
    guard count > 0 else { return [] }
    guard groups.reduce(0, { $0 + $1.descriptors.count }) >= count else { return nil }
    var claimed: [Int32] = []
    while claimed.count < count, !groups.isEmpty {
      let taken = groups[0].descriptors.prefix(count - claimed.count)
      claimed += taken
      groups[0].descriptors.removeFirst(taken.count)
      if groups[0].descriptors.isEmpty { groups.removeFirst() }
    }
    return claimed
  }

  mutating func closeUnclaimed(endingBy end: Int) {
    while let first = groups.first, first.end <= end {
      for descriptor in first.descriptors { DescriptorCloser.close(descriptor) }
      groups.removeFirst()
    }
  }

  mutating func closeAll() { closeUnclaimed(endingBy: .max) }
}
