internal import WatchwordReactor

/// Descriptors that have come and wait for the message that uses them.
///
/// They travel with the first byte of their message, so that those of a message have come before its last
/// byte has; what it does not claim is closed with it.
struct IncomingDescriptors {
  enum Shortage: Error {
    /// Fewer were sent.
    case notSent
    /// The daemon had no room for all of them.
    case notReceived
  }

  private struct Group {
    var descriptors: [Int32]
    let end: Int
    /// Whether there is more of it than `descriptors`.
    let isIncomplete: Bool
  }

  private var groups: [Group] = []
  private let account: UInt32

  /// - Parameter account: of the peer that sends them.
  init(of account: UInt32) { self.account = account }

  /// Takes over descriptors that came with bytes up to `end` of the stream; false when there are too many.
  mutating func add(_ descriptors: some Collection<Int32>, isIncomplete: Bool, endingAt end: Int) -> Bool {
    guard !descriptors.isEmpty || isIncomplete else { return true }
    groups.append(Group(descriptors: Array(descriptors), end: end, isIncomplete: isIncomplete))
    return groups.reduce(0) { $0 + $1.descriptors.count } <= Limits.unclaimedDescriptors
  }

  /// The next `count`, which the caller owns then; nothing is taken when there are not so many. Those behind
  /// a gap belong to a later message.
  mutating func claim(_ count: Int) throws(Shortage) -> [Int32] {
    let gap = groups.firstIndex(where: \.isIncomplete)
    let present = groups.prefix(gap.map { $0 + 1 } ?? groups.count).reduce(0) { $0 + $1.descriptors.count }
    guard present >= count else {
      guard let gap else { throw .notSent }
      closeAll(upTo: gap)
      throw .notReceived
    }
    var claimed: [Int32] = []
    while claimed.count < count, !groups.isEmpty {
      let taken = groups[0].descriptors.prefix(count - claimed.count)
      claimed += taken
      groups[0].descriptors.removeFirst(taken.count)
      if groups[0].descriptors.isEmpty && !groups[0].isIncomplete { groups.removeFirst() }
    }
    return claimed
  }

  /// Which message those before a gap are for is not known any more; the gap stays for the other messages
  /// that it is in.
  private mutating func closeAll(upTo gap: Int) {
    for descriptor in groups[...gap].flatMap(\.descriptors) {
      DescriptorCloser.close(descriptor, of: account)
    }
    groups[gap].descriptors = []
    groups.removeFirst(gap)
  }

  mutating func closeUnclaimed(endingBy end: Int) {
    while let first = groups.first, first.end <= end {
      for descriptor in first.descriptors { DescriptorCloser.close(descriptor, of: account) }
      groups.removeFirst()
    }
  }

  mutating func closeAll() { closeUnclaimed(endingBy: .max) }
}
