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

/// One space of a session that somebody waits for: first a question, then a credential on trial.
package struct PendingChallenge: Sendable {
  package internal(set) var question: ChallengeQuestion
  /// The task whose refusal is described.
  package internal(set) var raiser: ChallengeWaiter
  /// Who waits, in the order in which they came; without those that are trying a credential.
  package internal(set) var waiters: [ChallengeWaiter] = []
  /// Empty while a credential is on trial.
  package private(set) var identifier = ""
  /// Monotonic seconds at which the default answer is given.
  package private(set) var deadline = 0.0
  package private(set) var raised = 0.0
  /// Who was sent this question, the one it waits for last.
  package private(set) var asked: [PeerIdentifier] = []

  /// Who has answered since the last refusal, and is not asked again on behalf of others.
  var answered: Set<PeerIdentifier> = []
  /// What the server has refused here, so that nobody sends it again.
  private(set) var refused: [Credential.Kind] = []
  private(set) var trial: Trial?

  /// A credential that somebody gave and the server has not judged yet.
  struct Trial: Sendable {
    let credential: Credential
    let answerer: PeerIdentifier
    let servesAll: Bool
    var triers: [ChallengeWaiter] = []
    var nextAt = Double.infinity

    func serves(_ waiter: ChallengeWaiter) -> Bool { servesAll || waiter.peer == answerer }
  }

  /// Refused credentials remembered in one go; a server that refuses more is met by the tasks' own budgets.
  private static let refusedCapacity = 16

  init(question: ChallengeQuestion, raiser: ChallengeWaiter) {
    self.question = question
    self.raiser = raiser
    waiters = [raiser]
  }

  package var isAsking: Bool { !identifier.isEmpty }
  var isTrying: Bool { trial != nil }

  var nextDeadline: Double? {
    if isAsking { return deadline }
    guard let trial, !waiters.isEmpty, trial.nextAt < .infinity else { return nil }
    return trial.nextAt
  }

  mutating func beginAsking(_ identifier: String, deadline: Double, now: Double) {
    self.identifier = identifier
    self.deadline = deadline
    raised = now
    asked = []
    trial = nil
  }

  mutating func noteAsked(_ peer: PeerIdentifier) { asked.append(peer) }

  mutating func endAsking() {
    identifier = ""
    asked = []
  }

  mutating func beginTrial(_ credential: Credential, by answerer: PeerIdentifier, servesAll: Bool) {
    trial = Trial(credential: credential, answerer: answerer, servesAll: servesAll)
  }

  mutating func endTrial() { trial = nil }

  /// Takes the next waiter whom the trial serves out of the line; nil when there is none.
  mutating func takeNextTrier(now: Double) -> ChallengeWaiter? {
    guard let trial, let index = waiters.firstIndex(where: trial.serves) else {
      self.trial?.nextAt = .infinity
      return nil
    }
    let waiter = waiters.remove(at: index)
    self.trial?.triers.append(waiter)
    self.trial?.nextAt = now + ChallengeBoard.trialSeconds
    return waiter
  }

  mutating func noteRefusal(of kind: Credential.Kind) {
    if !refused.contains(kind) && refused.count < PendingChallenge.refusedCapacity { refused.append(kind) }
    answered = []
  }

  /// Forgets a task, as a waiter and as a trier.
  mutating func leave(_ task: TaskIdentifier) {
    waiters.removeAll { $0.task == task }
    trial?.triers.removeAll { $0.task == task }
  }
}
