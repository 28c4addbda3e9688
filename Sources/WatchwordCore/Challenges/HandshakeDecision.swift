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

  /// Nothing is presented to a server that asks for a client certificate.
  mutating func presentNone(
    for places: [WaiterLine.Place], of question: ChallengeQuestion,
    answeredBy answerer: PeerIdentifier? = nil,
    forAll: Bool = false
  ) -> [Effect] {
    carryOut(
      HandshakeDecision(space: question.space, credential: nil, by: answerer, forAll: forAll), for: places)
  }

  /// Default handling for those who wait under a question.
  ///
  /// For a chain that is fine and for a client certificate it is a decision like any other, so that nobody is asked
  /// again. A session delegate's counts for the session; that of a task's own connection for the task.
  mutating func leaveDefault(
    _ places: [WaiterLine.Place], of question: ChallengeQuestion, answeredBy answerer: PeerIdentifier? = nil,
    forAll: Bool = false
  ) -> [Effect] {
    guard question.space.serverTrust?.isTrusted ?? (question.space.certificateRequest != nil) else {
      return resume(places, .performDefaultHandling(isReply: answerer != nil))
    }
    let decision = HandshakeDecision(defaultFor: question.space, by: answerer, isForSession: forAll)
    return carryOut(decision, for: places)
  }
}
