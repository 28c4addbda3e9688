/// An answer to a question of a TLS handshake, and whom it serves.
package struct HandshakeDecision: Sendable, Equatable {
  package let space: ProtectionSpace
  /// Nil with default handling, and for a client certificate that is not to be sent.
  package let credential: Credential?
  package let isDefault: Bool
  /// Who said so; nil when nobody did.
  package let answerer: PeerIdentifier?
  /// Whether later tasks of the session are served, too.
  package let isForSession: Bool
  package fileprivate(set) var tasks: [TaskIdentifier] = []

  /// An answer's; its credential says how long it counts. Without one, a session delegate's counts for the session.
  init(space: ProtectionSpace, credential: Credential?, by answerer: PeerIdentifier?, forAll: Bool = false) {
    self.space = space
    self.credential = credential
    self.answerer = answerer
    isDefault = false
    isForSession = credential?.persistence.outlivesAnswer ?? forAll
  }

  /// Default handling's.
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
  /// The decision first, then those whom it serves: they start their handshakes again.
  mutating func carryOut(_ decision: HandshakeDecision, for places: [WaiterLine.Place]) -> [Effect] {
    [.decided(decision.serving(places.map(\.waiter.task)))] + resume(places, .useStored)
  }

  /// What an answer means to tasks that wait under a question, when it brings no credential.
  ///
  /// A decision of a session delegate counts for the session; that of a task's own connection for the task.
  mutating func carryOut(
    _ meaning: AnswerMeaning, for places: [WaiterLine.Place], of question: ChallengeQuestion,
    answeredBy answerer: PeerIdentifier? = nil, forAll: Bool = false
  ) -> [Effect] {
    switch meaning {
    case .defaultDecision:
      let decision = HandshakeDecision(defaultFor: question.space, by: answerer, isForSession: forAll)
      return carryOut(decision, for: places)
    case .decision, .noCertificate:
      let decision = HandshakeDecision(space: question.space, credential: nil, by: answerer, forAll: forAll)
      return carryOut(decision, for: places)
    case .nextOffer(let confirms): return resume(places, .nextOffer(confirms: confirms))
    case .trial, .refusal: return resume(places, .deliverRefusal)
    case .cancelled: return resume(places, .cancel)
    case .serverTrustRejected: return resume(places, .rejectServerTrust)
    }
  }
}
