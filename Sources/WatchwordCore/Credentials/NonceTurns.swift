package import WatchwordVocabulary

/// Which task may send the nonce of a protection space next, where counts must arrive in order (methods.md
/// 8.6).
///
/// Tasks share a nonce, and their requests may arrive in another order than their counts. An origin that
/// requires the order refuses some of them, as does one that forgets its nonces. The first refused task
/// repeats its request alone while the others wait. If that succeeds, one request at a time goes to the space
/// until the session ends.
package struct NonceTurns: Sendable {
  /// Spaces that are remembered; beyond it every refusal of a nonce costs a repetition.
  private static let capacity = 4096

  private struct Line: Sendable {
    /// The task whose request has no response yet, or is about to be repeated.
    var holder: TaskIdentifier?
    /// By number, the smallest one first.
    var waiting: [UInt64: TaskIdentifier] = [:]
    /// No task waits with a smaller number than this one.
    var front: UInt64 = 0
    var end: UInt64 = 0
    /// Whether a repetition has succeeded.
    var isLasting = false
  }

  /// A task sends to its proxy and to its origin, and has a place at each of the two.
  private struct Sender: Hashable {
    let task: TaskIdentifier
    let hop: Hop
  }

  private struct Place: Sendable {
    let space: ProtectionSpace
    /// Nil for the holder.
    let number: UInt64?
  }

  private var lines: [ProtectionSpace: Line] = [:]
  private var places: [Sender: Place] = [:]
  private var begun: [ProtectionSpace] = []
  private var granted: [TaskIdentifier] = []

  /// Whether one request at a time goes to the space.
  func isOrdered(_ space: ProtectionSpace) -> Bool { lines[space] != nil }

  /// Whether that lasts until the session ends.
  func isLasting(_ space: ProtectionSpace) -> Bool { lines[space]?.isLasting ?? false }

  func isHolder(_ task: TaskIdentifier, of space: ProtectionSpace) -> Bool { lines[space]?.holder == task }

  /// Where the task sends or waits.
  func space(of task: TaskIdentifier, at hop: Hop) -> ProtectionSpace? {
    places[Sender(task: task, hop: hop)]?.space
  }

  /// Whether another task sends to the space.
  func isTaken(_ space: ProtectionSpace, from task: TaskIdentifier) -> Bool {
    guard let holder = lines[space]?.holder else { return false }
    return holder != task
  }

  /// Whether the task may send to the space now; if not, it waits.
  mutating func enter(_ space: ProtectionSpace, _ task: TaskIdentifier) -> Bool {
    let sender = Sender(task: task, hop: space.hop)
    if let place = places[sender] {
      guard place.space != space else { return place.number == nil }
      leave(task, at: space.hop)
    }
    guard let index = lines.index(forKey: space) else { return true }
    guard lines.values[index].holder != nil else {
      lines.values[index].holder = task
      places[sender] = Place(space: space, number: nil)
      return true
    }
    let number = lines.values[index].end
    lines.values[index].end += 1
    lines.values[index].waiting[number] = task
    places[sender] = Place(space: space, number: number)
    return false
  }

  /// The task repeats its request alone: the others wait from now on, including requests that have no
  /// connection yet.
  mutating func begin(_ space: ProtectionSpace, _ task: TaskIdentifier) {
    guard lines[space] == nil, lines.count < NonceTurns.capacity else { return }
    lines[space] = Line()
    _ = enter(space, task)
    begun.append(space)
  }

  /// Order does not matter in this space: all who wait may send.
  mutating func end(_ space: ProtectionSpace) {
    guard let line = lines.removeValue(forKey: space) else { return }
    if let holder = line.holder { places[Sender(task: holder, hop: space.hop)] = nil }
    for (_, task) in line.waiting.sorted(on: \.key) {
      places[Sender(task: task, hop: space.hop)] = nil
      granted.append(task)
    }
  }

  /// The server has accepted the task's request.
  mutating func noteAcceptance(of task: TaskIdentifier, at hop: Hop) {
    guard let place = places[Sender(task: task, hop: hop)], place.number == nil else { return }
    lines[place.space]?.isLasting = true
  }

  /// The task has ended: the next one may send.
  package mutating func leave(_ task: TaskIdentifier) {
    leave(task, at: .origin)
    leave(task, at: .proxy)
  }

  /// The task has the response of this hop: the next one may send.
  mutating func leave(_ task: TaskIdentifier, at hop: Hop) {
    guard !places.isEmpty, let place = places.removeValue(forKey: Sender(task: task, hop: hop)) else {
      return
    }
    guard let index = lines.index(forKey: place.space) else { return }
    if let number = place.number {
      lines.values[index].waiting[number] = nil
      return
    }
    lines.values[index].holder = nil
    while lines.values[index].front < lines.values[index].end {
      let number = lines.values[index].front
      lines.values[index].front += 1
      guard let next = lines.values[index].waiting.removeValue(forKey: number) else { continue }
      lines.values[index].holder = next
      places[Sender(task: next, hop: hop)] = Place(space: place.space, number: nil)
      granted.append(next)
      return
    }
    if !lines.values[index].isLasting { lines.remove(at: index) }
  }

  // MARK: Changes to report

  package var hasNews: Bool { !begun.isEmpty || !granted.isEmpty }

  /// Spaces in which requests are sent one at a time from now on: requests without a connection are
  /// withdrawn.
  package mutating func takeBegun() -> [ProtectionSpace] {
    defer { begun.removeAll() }
    return begun
  }

  /// The tasks whose turn has come.
  package mutating func takeGranted() -> [TaskIdentifier] {
    defer { granted.removeAll() }
    return granted
  }
}

/// Which servers take a Digest nonce once only, and answer its second use with 400 or 403 (methods.md 8.8).
package struct NonceReuse: Sendable {
  enum Finding: Sendable {
    /// A nonce has served twice.
    case accepted
    /// A second use was refused; another answer may have the same status.
    case suspected
    /// After that, a request with a new nonce was not refused.
    case refused
  }

  /// Spaces that are remembered; beyond it they are found out again.
  private static let capacity = 4096

  private var findings: [ProtectionSpace: Finding] = [:]
  /// Of the spaces, in bytes.
  private(set) var heldBytes = 0

  package init() {}

  func finding(of space: ProtectionSpace) -> Finding? { findings[space] }

  /// Whether a nonce that has served may be sent with the next request.
  func isAllowed(in space: ProtectionSpace) -> Bool {
    switch findings[space] {
    case .accepted, nil: true
    case .suspected, .refused: false
    }
  }

  mutating func note(_ finding: Finding, of space: ProtectionSpace) {
    guard findings[space] == nil else { return findings[space] = finding }
    guard findings.count < Self.capacity else { return }
    findings[space] = finding
    heldBytes += space.heldBytes
  }
}
