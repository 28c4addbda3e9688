internal import WatchwordVocabulary

/// A credential that a delegate or a source gave and the server has not judged yet.
///
/// One task tries it while the other tasks wait (challenges.md 12.7). After a refusal it serves no further
/// task, but a task that is still trying it may report that the server accepts it.
struct CredentialTrial: Sendable, Equatable {
  let credential: Credential
  /// Nil for a source.
  let answerer: PeerIdentifier?
  let servesAll: Bool
  /// Tasks that wait for the server to judge it.
  var queue = WaiterQueue()
  /// Tasks that have sent it, or are about to.
  var triers: Set<TaskIdentifier> = []
  /// Tasks that were refused with it.
  private(set) var refusers: Set<TaskIdentifier> = []
  private(set) var pace = TrialPace()

  init(_ credential: Credential, by answerer: PeerIdentifier?, servesAll: Bool) {
    self.credential = credential
    self.answerer = answerer
    self.servesAll = servesAll
  }

  var isRefused: Bool { !refusers.isEmpty }
  /// Whether no further task tries it.
  var isClosed: Bool { isRefused || pace.isOver }
  /// Whether its outcome concerns no task any more.
  var isOver: Bool { triers.isEmpty && queue.isEmpty }
  /// Nil when no task waits for it.
  var nextDeadline: Double? { queue.isEmpty ? nil : pace.nextAt }

  /// Whether it serves tasks that did not wait when it was given, too.
  var isForLaterTasks: Bool { credential.persistence != .none }

  /// Whether each task that it served would count its own uses: one task has all of them (storage.md 9.5.6).
  var isForOneTask: Bool { credential.persistence == .none && credential.limits.maximumUses != nil }

  func serves(_ waiter: ChallengeWaiter) -> Bool { servesAll || waiter.peer == answerer }

  mutating func takeNextTrier(now: Double) -> ChallengeWaiter? {
    guard let entry = queue.removeFirst() else { return nil }
    triers.insert(entry.waiter.task)
    pace.begin(now: now)
    return entry.waiter
  }

  /// The server has been silent for the time of a try. Returns whether the next task tries it, too.
  mutating func noteSilence() -> Bool { pace.noteSilence() }

  /// The server has refused it to this task.
  mutating func noteRefusal(to task: TaskIdentifier) { refusers.insert(task) }
}
