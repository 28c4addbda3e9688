/// The cancels of a short time ago: they speak for those who were already on their way when they were said.
///
/// So four workers that meet the same space one after the other do not ask four times (challenges.md 12.9).
struct CancelMemory: Sendable {
  static let seconds = 10.0
  /// Cancels remembered at once; more than that are asked again, which costs a question each.
  static let capacity = 4096
  /// Bytes of the realm of a cancel that is remembered: a server's may be as long as a header block.
  static let realmBytes = 1024

  private struct Key: Hashable, Sendable {
    let space: ProtectionSpace
    /// Nil when the answerer spoke for everybody.
    let peer: PeerIdentifier?
  }

  private struct Cancel: Sendable {
    let until: Double
    /// Tasks made later than this one are asked anew.
    let lastTask: TaskIdentifier
  }

  private var cancels: [Key: Cancel] = [:]

  init() {}

  /// - Parameters:
  ///   - peer: who said so, and for whose tasks it counts; nil: for every task.
  ///   - lastTask: the newest of the tasks that were there.
  mutating func remember(
    _ space: ProtectionSpace, of peer: PeerIdentifier?, lastTask: TaskIdentifier, now: Double
  ) {
    if cancels.count >= CancelMemory.capacity { cancels = cancels.filter { $0.value.until > now } }
    guard cancels.count < CancelMemory.capacity, space.realm?.count ?? 0 <= CancelMemory.realmBytes
    else { return }
    cancels[Key(space: space, peer: peer)] = Cancel(until: now + CancelMemory.seconds, lastTask: lastTask)
  }

  func concerns(_ waiter: ChallengeWaiter, in space: ProtectionSpace, now: Double) -> Bool {
    [nil, waiter.peer].contains { peer in
      guard let cancel = cancels[Key(space: space, peer: peer)] else { return false }
      return now < cancel.until && waiter.task.number <= cancel.lastTask.number
    }
  }
}
