package import WatchwordVocabulary

/// One space of a session that tasks wait for: under a question, for a credential on trial, or both.
package struct PendingChallenge: Sendable, Equatable {
  package private(set) var question: ChallengeQuestion
  /// The task whose refusal the question describes.
  package private(set) var raiser: ChallengeWaiter
  /// Empty while no delegate is asked.
  package private(set) var identifier = ""
  /// Monotonic seconds at which the default answer is given.
  package private(set) var deadline = 0.0
  package private(set) var raised = 0.0
  /// The connections that were sent this question; it waits for the last one.
  package private(set) var asked: [PeerIdentifier] = []

  /// Tasks that wait for the answer to the question.
  var queue = WaiterQueue()
  var trials: [CredentialTrial] = []
  /// Connections that have answered since the last refusal; they are not asked again for other tasks.
  var answered: Set<PeerIdentifier> = []
  /// Credentials that the server has refused here, so that no task sends them again.
  package private(set) var refused: [Credential.Kind] = []
  /// Whether the space's source is being read for this question, or has been.
  private(set) var source = SourceProgress.unread
  /// Whether what the source gave for an earlier question has been tried.
  private(set) var hasTriedSource = false
  /// Why the source gave nothing for this question.
  package private(set) var sourceFailure: SourceFailure?
  /// What a person needs so that the source gives something.
  package private(set) var prompt: SourcePrompt?

  enum SourceProgress: Sendable, Equatable {
    case unread
    /// Under this id, that of the question for which the reading began.
    case reading(String)
    case read
  }

  /// The code that a person must enter, and the name of the source that waits for it.
  package struct SourcePrompt: Sendable, Equatable {
    package let name: String
    package let code: DevicePrompt
  }

  /// Refused credentials remembered per question; tasks' own budgets bound a server that refuses more.
  private static let refusedCapacity = 16

  init(question: ChallengeQuestion, raiser: ChallengeWaiter) {
    self.question = question
    self.raiser = raiser
  }

  package var isAsking: Bool { !identifier.isEmpty }
  /// Tasks that wait for the answer, in order of arrival, without those that wait for a credential on trial.
  package var waiters: [ChallengeWaiter] { queue.entries.map(\.waiter) }
  package var waiterCount: Int { queue.count }

  /// Whether no task waits or tries.
  var isOver: Bool { queue.isEmpty && trials.isEmpty }

  var nextDeadline: Double? {
    let ofTrials = trials.lazy.compactMap(\.nextDeadline).min() ?? .infinity
    let next = isAsking ? min(deadline, ofTrials) : ofTrials
    return next < .infinity ? next : nil
  }

  // MARK: The question

  mutating func beginAsking(_ identifier: String, deadline: Double, now: Double) {
    self.identifier = identifier
    self.deadline = deadline
    raised = now
    asked = []
    source = .unread
    sourceFailure = nil
    prompt = nil
  }

  /// The id under which the source is being read.
  var reading: String? {
    guard case .reading(let identifier) = source else { return nil }
    return identifier
  }

  /// - Parameter identifier: its own, or that of the question before it, whose reading goes on.
  mutating func noteReading(_ identifier: String) { source = .reading(identifier) }

  mutating func show(_ prompt: SourcePrompt) { self.prompt = prompt }

  mutating func endReading(_ failure: SourceFailure?) {
    source = .read
    sourceFailure = failure
  }

  mutating func trySource(_ credential: Credential) -> CredentialTrial {
    hasTriedSource = true
    var trial = CredentialTrial(credential, by: nil, servesAll: true)
    for entry in queue.removeAll(where: { _ in true }) { trial.queue.append(entry) }
    return trial
  }

  mutating func noteAsked(_ peer: PeerIdentifier) { asked.append(peer) }

  mutating func endAsking() {
    identifier = ""
    asked = []
  }

  /// Describes this task's refusal from now on.
  mutating func describe(_ entry: WaiterQueue.WaitingTask) {
    question = entry.question
    raiser = entry.waiter
  }

  /// Describes a task that still waits: the one described may have left, and its URL must not be shown to
  /// others.
  mutating func describeWaitingTask() {
    guard !queue.contains(raiser.task), let first = queue.first else { return }
    describe(first)
  }

  // MARK: Waiting tasks

  /// Adds a task at the end of a queue: of a credential on trial that is to serve it, else of the question.
  mutating func join(_ entry: WaiterQueue.WaitingTask) {
    let trial = trials.firstIndex { !$0.isClosed && $0.isForLaterTasks && $0.serves(entry.waiter) }
    if let trial {
      trials[trial].queue.append(entry)
    } else {
      // These connections answered before the task arrived, and may be asked for it.
      if let peer = entry.waiter.peer { answered.remove(peer) }
      for trial in trials where !trial.isForLaterTasks {
        if let peer = trial.answerer { answered.remove(peer) }
      }
      queue.append(entry)
    }
  }

  /// Removes a task from its queue; `refused` when the server has refused it the credential it tried.
  mutating func stepOut(_ task: TaskIdentifier, refused: Credential.Kind?) {
    if queue.remove(task) != nil { return }
    for index in trials.indices {
      if trials[index].queue.remove(task) != nil { return }
      guard trials[index].triers.remove(task) != nil else { continue }
      guard let refused else { return }
      noteRefusal(of: refused)
      for same in trials.indices where same == index || trials[same].credential.kind == refused {
        trials[same].noteRefusal(to: task)
        close(same)
      }
      return
    }
  }

  /// The tasks that waited for a trial wait for a reply again. Connections that have replied may be asked
  /// once more.
  mutating func close(_ trial: Int) {
    answered = []
    for entry in trials[trial].queue.removeAll(where: { _ in true }) { join(entry) }
  }

  /// The tasks that it serves wait for the server to judge it.
  mutating func begin(_ trial: CredentialTrial) {
    var trial = trial
    if trial.isForOneTask, let one = queue.first(where: trial.serves) {
      // The others are asked again, and by whom it was given.
      queue.remove(one.waiter.task)
      trial.queue.append(one)
      if let peer = trial.answerer { answered.remove(peer) }
    } else {
      for entry in queue.removeAll(where: trial.serves) { trial.queue.append(entry) }
    }
    trials.append(trial)
  }

  mutating func noteRefusal(of kind: Credential.Kind) {
    if !refused.contains(kind) && refused.count < PendingChallenge.refusedCapacity { refused.append(kind) }
  }

  /// The server has accepted it after all.
  mutating func withdrawRefusal(of kind: Credential.Kind) { refused.removeAll { $0 == kind } }
}
