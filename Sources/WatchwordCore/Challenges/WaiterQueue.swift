package import WatchwordVocabulary

/// Waiting tasks in order of arrival; any of them can leave at once.
///
/// Ten thousand may wait under one question and each may be cancelled, so leaving costs the last one no more
/// than the first.
struct WaiterQueue: Sendable, Equatable {
  /// A task and what it met, from which its question can be asked when the other tasks have left.
  struct WaitingTask: Sendable, Equatable {
    let waiter: ChallengeWaiter
    let question: ChallengeQuestion
  }

  /// Below this many slots, empty ones are not removed.
  private static let fewSlots = 32

  /// Nil where a task has left.
  private var slots: [WaitingTask?] = []
  private var indices: [TaskIdentifier: Int] = [:]
  /// All slots before this one are empty.
  private var front = 0
  private var tasksOfPeer: [PeerIdentifier: Int] = [:]

  init() {}

  var isEmpty: Bool { indices.isEmpty }
  var count: Int { indices.count }
  var entries: [WaitingTask] { slots[front...].compactMap(\.self) }
  var first: WaitingTask? { front < slots.count ? slots[front] : nil }

  func first(where concerns: (ChallengeWaiter) -> Bool) -> WaitingTask? {
    slots[front...].lazy.compactMap(\.self).first { concerns($0.waiter) }
  }

  func contains(_ task: TaskIdentifier) -> Bool { indices[task] != nil }

  /// Whether a task that this connection started is among them.
  func holdsTask(of peer: PeerIdentifier) -> Bool { tasksOfPeer[peer] != nil }

  mutating func append(_ entry: WaitingTask) {
    remove(entry.waiter.task)
    indices[entry.waiter.task] = slots.count
    slots.append(entry)
    if let peer = entry.waiter.peer { tasksOfPeer[peer, default: 0] += 1 }
  }

  @discardableResult
  mutating func remove(_ task: TaskIdentifier) -> WaitingTask? {
    guard let index = indices.removeValue(forKey: task), let entry = slots[index] else { return nil }
    slots[index] = nil
    if let peer = entry.waiter.peer {
      let left = (tasksOfPeer[peer] ?? 0) - 1
      tasksOfPeer[peer] = left > 0 ? left : nil
    }
    while front < slots.count, slots[front] == nil { front += 1 }
    if slots.count > WaiterQueue.fewSlots, indices.count * 2 < slots.count { clearAway() }
    return entry
  }

  mutating func removeFirst() -> WaitingTask? { first.flatMap { remove($0.waiter.task) } }

  /// Removes every task for which `concerns` is true and returns them, in order.
  mutating func removeAll(where concerns: (ChallengeWaiter) -> Bool) -> [WaitingTask] {
    let all = entries
    let taken = all.filter { concerns($0.waiter) }
    guard !taken.isEmpty else { return [] }
    self = WaiterQueue()
    for entry in all where !concerns(entry.waiter) { append(entry) }
    return taken
  }

  private mutating func clearAway() {
    slots = entries
    front = 0
    for (index, entry) in slots.enumerated() {
      if let entry { indices[entry.waiter.task] = index }
    }
  }
}

/// A task that waits for an answer, and the process it runs for.
package struct ChallengeWaiter: Sendable, Equatable {
  package let task: TaskIdentifier
  /// Nil when the connection that started it is gone (a detached task).
  package let peer: PeerIdentifier?

  package init(task: TaskIdentifier, peer: PeerIdentifier?) {
    self.task = task
    self.peer = peer
  }
}
