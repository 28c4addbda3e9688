package import WatchwordVocabulary

/// Which tasks try a credential that they have chosen themselves and that no server has judged lately, while
/// the others wait (challenges.md 12.8).
///
/// What a reply or a source gave is tried by the same rule, ``TrialPace``, on the board.
package struct CredentialTrials: Sendable {
  /// A credential in a space, whatever place it is from.
  struct Key: Hashable, Sendable {
    let space: ProtectionSpace
    let mark: CredentialMark

    init(_ kind: Credential.Kind, in space: ProtectionSpace) {
      self.space = space
      mark = CredentialMark(kind)
    }
  }

  /// Acceptances that are remembered; beyond it a credential is tried by one task again.
  private static let capacity = 4096
  /// An acceptance that is older does not speak for requests that are made at the same time.
  private static let confirmedSeconds = 1.0

  /// A task has a place at its proxy and at its origin.
  private struct Sender: Hashable {
    let task: TaskIdentifier
    let hop: Hop
  }

  private struct Line: Sendable {
    var triers: Set<TaskIdentifier> = []
    var waiting = IndexedSet<TaskIdentifier>()
    var pace: TrialPace
    /// Whether the task whose turn it is has not come yet.
    var isStarting = false

    /// What was accepted before is no risk that is worth an error.
    var isSilent: Bool { pace.isOver && pace.isNew }

    mutating func begin(now: Double) {
      isStarting = false
      pace.begin(now: now)
    }
  }

  private struct Acceptance: Sendable {
    var time: Double
    /// Whether it came over a connection with many streams.
    var isMultiplexed: Bool
  }

  private var lines: [Key: Line] = [:]
  private var places: [Sender: Key] = [:]
  private var accepted: [Key: Acceptance] = [:]
  private var deadlines = DeadlineQueue<Key>()
  private var granted: [TaskIdentifier] = []
  /// Whether anything was accepted over a connection with many streams.
  private(set) var hasMultiplexed = false

  /// When `tick` must be called next; nil when nothing is due.
  var nextDeadline: Double? { deadlines.soonest }

  /// Whether this task goes on without it, because the server has said nothing to those who tried it.
  func passesOver(_ key: Key, _ task: TaskIdentifier) -> Bool {
    lines[key].map { $0.isSilent && !$0.triers.contains(task) } ?? false
  }

  /// The task is about to send it. Returns whether it may; if not, it waits for others.
  ///
  /// - Parameter isNew: whether it is none that the session keeps because a server has accepted it.
  mutating func enter(
    _ key: Key, _ task: TaskIdentifier, at hop: Hop, isNew: Bool, now: Double
  ) -> Bool {
    let sender = Sender(task: task, hop: hop)
    if let place = places[sender], place != key { leave(task, at: hop) }
    guard needsTrial(key, isNew: isNew, now: now) else { return true }
    var line = removeLine(key) ?? Line(pace: TrialPace(isNew: isNew && accepted[key] == nil))
    defer { put(line, at: key) }
    let isTrier = line.triers.contains(task) || line.triers.isEmpty
    if !isTrier, line.pace.isOver { return true }
    places[sender] = key
    if !isTrier {
      line.waiting.append(task)
    } else if line.isStarting || line.triers.isEmpty {
      line.triers.insert(task)
      line.begin(now: now)
    }
    return isTrier
  }

  /// The request with it goes onto its connection.
  mutating func begin(_ task: TaskIdentifier, at hop: Hop, now: Double) {
    guard let key = places[Sender(task: task, hop: hop)], var line = removeLine(key) else { return }
    if line.triers.contains(task) { line.begin(now: now) }
    put(line, at: key)
  }

  /// A server has accepted it.
  mutating func noteAcceptance(of key: Key, isMultiplexed: Bool, now: Double) {
    if accepted.count >= Self.capacity { accepted.removeAll() }
    accepted[key] = Acceptance(time: now, isMultiplexed: isMultiplexed)
    if isMultiplexed { hasMultiplexed = true }
    end(key)
  }

  /// A server has refused it.
  mutating func noteRefusal(of key: Key) {
    accepted[key] = nil
    end(key)
  }

  /// The task has ended, or does not send it.
  package mutating func leave(_ task: TaskIdentifier) {
    leave(task, at: .origin)
    leave(task, at: .proxy)
  }

  /// The same at one hop. If no other task tries it, the next one does.
  mutating func leave(_ task: TaskIdentifier, at hop: Hop) {
    guard !places.isEmpty, let key = places.removeValue(forKey: Sender(task: task, hop: hop)),
      var line = removeLine(key)
    else { return }
    line.waiting.remove(task)
    if line.triers.remove(task) != nil, line.triers.isEmpty { grantNext(&line) }
    put(line, at: key)
  }

  /// Carries out what is due.
  mutating func tick(now: Double) {
    for key in deadlines.due(at: now) {
      guard var line = removeLine(key) else { continue }
      if line.pace.noteSilence() {
        grantNext(&line)
        line.begin(now: now)
      } else {
        for task in line.waiting.elements { grant(task, of: key) }
        line.waiting = IndexedSet()
      }
      put(line, at: key)
    }
  }

  /// The session forgets what servers have accepted.
  mutating func forget() { accepted = [:] }

  // MARK: Changes to report

  package var hasNews: Bool { !granted.isEmpty }

  /// The tasks that wait no longer.
  package mutating func takeGranted() -> [TaskIdentifier] {
    defer { granted.removeAll() }
    return granted
  }

  // MARK: Steps

  private func needsTrial(_ key: Key, isNew: Bool, now: Double) -> Bool {
    guard let acceptance = accepted[key] else { return isNew }
    return (isNew || acceptance.isMultiplexed) && now - acceptance.time >= Self.confirmedSeconds
  }

  private mutating func grantNext(_ line: inout Line) {
    guard let next = line.waiting.removeFirst() else { return }
    line.triers.insert(next)
    line.isStarting = true
    granted.append(next)
  }

  private mutating func grant(_ task: TaskIdentifier, of key: Key) {
    let sender = Sender(task: task, hop: key.space.hop)
    guard places[sender] == key else { return }
    places[sender] = nil
    granted.append(task)
  }

  private mutating func end(_ key: Key) {
    guard let line = lines.removeValue(forKey: key) else { return }
    deadlines.set(key, to: nil)
    for task in line.triers { places[Sender(task: task, hop: key.space.hop)] = nil }
    for task in line.waiting.elements { grant(task, of: key) }
  }

  /// Taken out while it is changed, so that no copy is made.
  private mutating func removeLine(_ key: Key) -> Line? { lines.removeValue(forKey: key) }

  private mutating func put(_ line: Line, at key: Key) {
    let isDue = !line.waiting.isEmpty && !line.triers.isEmpty && !line.isStarting
    lines[key] = line.triers.isEmpty ? nil : line
    deadlines.set(key, to: isDue ? line.pace.nextAt : nil)
  }
}

/// How a credential that no server has judged is tried: one request goes ahead, and the others wait for its
/// head (challenges.md 12.7).
///
/// Each try may be a bad login, and some servers lock an account after three. But one that is never answered,
/// a long poll, must not hold the others for ever: the wait has a bound, and the further tries a number.
package struct TrialPace: Sendable, Equatable {
  /// How long the others wait for each try.
  package static let waitSeconds = 10.0
  /// The same for a credential that a server has accepted before: it is likely to be accepted again.
  package static let waitSecondsOfKnown = 2.0
  /// Tries that silence adds to the first.
  package static let furtherTries = 3

  /// Whether no server has accepted it.
  let isNew: Bool
  /// When the wait for the newest try is over, in monotonic seconds.
  private(set) var nextAt = 0.0
  private var silences = 0

  /// Whether the server has said nothing to any of the tries.
  private(set) var isOver = false

  init(isNew: Bool = true) { self.isNew = isNew }

  /// A try begins.
  mutating func begin(now: Double) { nextAt = now + (isNew ? Self.waitSeconds : Self.waitSecondsOfKnown) }

  /// The wait is over. Returns whether the next task tries, too; if not, no other task does.
  mutating func noteSilence() -> Bool {
    silences += 1
    isOver = silences > Self.furtherTries
    return !isOver
  }
}
