/// A credential that somebody gave and the server has not judged yet.
///
/// One task tries it while the others that it is to serve wait (challenges.md 12.7). After a refusal it serves
/// nobody any more, but those who are trying it still may bring the server's other word.
struct CredentialTrial: Sendable, Equatable {
  let credential: Credential
  let answerer: PeerIdentifier
  let servesAll: Bool
  /// Who waits for the server's word.
  var line = WaiterLine()
  /// Who has sent it, or is about to.
  var triers: Set<TaskIdentifier> = []
  /// Who was refused with it.
  private(set) var refusers: Set<TaskIdentifier> = []
  /// When the next one in line tries it too.
  private(set) var nextAt = 0.0

  init(_ credential: Credential, by answerer: PeerIdentifier, servesAll: Bool) {
    self.credential = credential
    self.answerer = answerer
    self.servesAll = servesAll
  }

  var isRefused: Bool { !refusers.isEmpty }
  /// Whether nobody is left whom its outcome concerns.
  var isOver: Bool { triers.isEmpty && line.isEmpty }
  /// Nil when nobody waits for it.
  var nextDeadline: Double? { line.isEmpty ? nil : nextAt }

  func serves(_ waiter: ChallengeWaiter) -> Bool { servesAll || waiter.peer == answerer }

  mutating func takeNextTrier(now: Double) -> ChallengeWaiter? {
    guard let place = line.removeFirst() else { return nil }
    triers.insert(place.waiter.task)
    nextAt = now + ChallengeBoard.trialSeconds
    return place.waiter
  }

  /// The server has refused it to this task.
  mutating func noteRefusal(to task: TaskIdentifier) { refusers.insert(task) }
}
