package import WatchwordVocabulary

/// An answer to a question of a TLS handshake, and the tasks that it serves.
package struct HandshakeDecision: Sendable, Equatable {
  package let space: ProtectionSpace
  /// Nil for default handling, and when no client certificate is to be sent.
  package let credential: Credential?
  package let isDefault: Bool
  /// The connection that answered; nil when none did.
  package let answerer: PeerIdentifier?
  /// Whether it also serves later tasks of the session.
  package let isForSession: Bool
  package fileprivate(set) var tasks: [TaskIdentifier] = []

  /// From a reply; valid for the credential's persistence. Without one, a session delegate's is for the
  /// session.
  init(space: ProtectionSpace, credential: Credential?, by answerer: PeerIdentifier?, forAll: Bool) {
    self.space = space
    self.credential = credential
    self.answerer = answerer
    isDefault = false
    isForSession = credential?.persistence.outlivesAnswer ?? forAll
  }

  /// From default handling.
  init(defaultFor space: ProtectionSpace, by answerer: PeerIdentifier?, isForSession: Bool) {
    self.space = space
    credential = nil
    isDefault = true
    self.answerer = answerer
    self.isForSession = isForSession
  }

  func serving(_ tasks: [TaskIdentifier]) -> HandshakeDecision {
    var decision = self
    decision.tasks = tasks
    return decision
  }
}

extension ChallengeBoard {
  /// The decision first, then the tasks that it serves, which start their handshakes again.
  func carryOut(_ decision: HandshakeDecision, for entries: [WaiterQueue.WaitingTask]) -> [Effect] {
    [.decided(decision.serving(entries.map(\.waiter.task)))] + resume(entries, .useStored)
  }

  /// Tells tasks that wait under a question what an answer without a credential means.
  ///
  /// A decision of a session delegate is for the session; one of a task's own connection is for the task.
  func carryOut(
    _ meaning: AnswerMeaning, for entries: [WaiterQueue.WaitingTask], of question: ChallengeQuestion,
    answeredBy answerer: PeerIdentifier? = nil, forAll: Bool = false
  ) -> [Effect] {
    switch meaning {
    case .defaultDecision:
      let decision = HandshakeDecision(defaultFor: question.space, by: answerer, isForSession: forAll)
      return carryOut(decision, for: entries)
    case .decision, .noCertificate:
      let decision = HandshakeDecision(space: question.space, credential: nil, by: answerer, forAll: forAll)
      return carryOut(decision, for: entries)
    case .excludeOffer: return resume(entries, .excludeOffer)
    case .nextOffer(let confirms): return resume(entries, .nextOffer(confirms: confirms))
    case .trial, .refusal: return resume(entries, .deliverRefusal)
    case .cancelled: return resume(entries, .cancel)
    case .serverTrustRejected: return resume(entries, .rejectServerTrust)
    }
  }
}
