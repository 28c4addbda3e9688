internal import WatchwordVocabulary

/// Recent cancels: each also applies to the tasks that existed when it was given.
///
/// Without it, four workers that meet the same space in turn ask four times (challenges.md 12.9).
struct CancelMemory: Sendable {
  static let seconds = 10.0
  /// Cancels remembered at once; each one beyond that costs another question.
  static let capacity = 4096
  /// Longest realm of a remembered cancel, in bytes: a server's realm may be as long as a header block.
  static let realmBytes = 1024

  private struct Key: Hashable, Sendable {
    let space: ProtectionSpace
    /// The use that was not confirmed.
    let use: ConfirmedUse?
    /// Nil when the answer was for every task.
    let peer: PeerIdentifier?
  }

  private struct Cancel: Sendable {
    let until: Double
    /// Tasks made later than this one are asked again.
    let lastTask: TaskIdentifier
  }

  private var cancels: [Key: Cancel] = [:]

  init() {}

  /// - Parameters:
  /// - peer: the connection that cancelled and whose tasks it applies to; nil: every task.
  /// - lastTask: the newest task that existed then.
  mutating func remember(
    _ space: ProtectionSpace, _ use: ConfirmedUse?, of peer: PeerIdentifier?, lastTask: TaskIdentifier,
    now: Double
  ) {
    if cancels.count >= CancelMemory.capacity { cancels = cancels.filter { $0.value.until > now } }
    guard cancels.count < CancelMemory.capacity, space.realm?.count ?? 0 <= CancelMemory.realmBytes
    else { return }
    cancels[Key(space: space, use: use, peer: peer)] = Cancel(
      until: now + CancelMemory.seconds, lastTask: lastTask)
  }

  func concerns(
    _ waiter: ChallengeWaiter, in space: ProtectionSpace, _ use: ConfirmedUse?, now: Double
  ) -> Bool {
    [nil, waiter.peer].contains { peer in
      guard let cancel = cancels[Key(space: space, use: use, peer: peer)] else { return false }
      return now < cancel.until && waiter.task.number <= cancel.lastTask.number
    }
  }
}
