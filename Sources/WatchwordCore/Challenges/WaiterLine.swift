/// Waiting tasks in order of arrival; any of them can leave at once.
///
/// Ten thousand may wait under one question and each may be cancelled, so leaving costs the last one no more than the
/// first.
struct WaiterLine: Sendable, Equatable {
  /// A task and what it met, from which its question can be asked when the other tasks have left.
  struct Place: Sendable, Equatable {
    let waiter: ChallengeWaiter
    let question: ChallengeQuestion
  }

  /// Below this many slots, empty ones are not removed.
  private static let fewSlots = 32

  /// Nil where a task has left.
  private var slots: [Place?] = []
  private var indices: [TaskIdentifier: Int] = [:]
  /// All slots before this one are empty.
  private var front = 0
  private var tasksOfPeer: [PeerIdentifier: Int] = [:]

  init() {}

  var isEmpty: Bool { indices.isEmpty }
  var count: Int { indices.count }
  var places: [Place] { slots[front...].compactMap(\.self) }
  var first: Place? { front < slots.count ? slots[front] : nil }

  func contains(_ task: TaskIdentifier) -> Bool { indices[task] != nil }

  /// Whether a task that this connection started is among them.
  func holdsTask(of peer: PeerIdentifier) -> Bool { tasksOfPeer[peer] != nil }

  mutating func append(_ place: Place) {
    remove(place.waiter.task)
    indices[place.waiter.task] = slots.count
    slots.append(place)
    if let peer = place.waiter.peer { tasksOfPeer[peer, default: 0] += 1 }
  }

  @discardableResult
  mutating func remove(_ task: TaskIdentifier) -> Place? {
    guard let index = indices.removeValue(forKey: task), let place = slots[index] else { return nil }
    slots[index] = nil
    if let peer = place.waiter.peer {
      let left = (tasksOfPeer[peer] ?? 0) - 1
      tasksOfPeer[peer] = left > 0 ? left : nil
    }
    while front < slots.count, slots[front] == nil { front += 1 }
    if slots.count > WaiterLine.fewSlots, indices.count * 2 < slots.count { clearAway() }
    return place
  }

  mutating func removeFirst() -> Place? { first.flatMap { remove($0.waiter.task) } }

  /// Removes every task for which `concerns` is true and returns them, in order.
  mutating func take(where concerns: (ChallengeWaiter) -> Bool) -> [Place] {
    let all = places
    let taken = all.filter { concerns($0.waiter) }
    guard !taken.isEmpty else { return [] }
    self = WaiterLine()
    if taken.count < all.count {
      for place in all where !concerns(place.waiter) { append(place) }
    }
    return taken
  }

  private mutating func clearAway() {
    slots = places
    front = 0
    for (index, place) in slots.enumerated() {
      if let place { indices[place.waiter.task] = index }
    }
  }
}
