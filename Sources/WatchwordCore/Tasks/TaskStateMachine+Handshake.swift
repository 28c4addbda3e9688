/// Questions of a TLS handshake, which has been stopped before anything of the request was sent.
extension TaskStateMachine {
  /// Handshakes of one hop that may be stopped to ask: a server that shows another chain each time ends there.
  static let maximumHandshakeQuestions = 8

  mutating func handshakeStopped(to ask: ServerTrust) -> [Effect] {
    handshakeQuestions += 1
    guard handshakeQuestions <= TaskStateMachine.maximumHandshakeQuestions else {
      return finish(.transport(.serverTrustRejected(ask.faults)))
    }
    let question = ChallengeQuestion(
      url: hop.url, space: ProtectionSpace(origin: hop.url.origin, serverTrust: ask), offers: [],
      proposed: nil, previousFailureCount: 0, failureResponse: nil)
    phase = .asking(question)
    return [.ask(question)]
  }

  /// The board's word: only a decision lets the handshake start again (challenges §5: a refusal fails closed).
  mutating func handshakeAnswered(_ verdict: ChallengeVerdict, to question: ChallengeQuestion) -> [Effect] {
    switch verdict {
    case .useStored:
      guard let unsent else { return finish(.transport(.cancelled)) }
      phase = .exchanging
      return [.send(unsent)]
    case .performDefaultHandling, .cancel, .reject, .deliverRefusal, .tryCredential, .useCredential:
      return finish(.transport(.serverTrustRejected(question.space.serverTrust?.faults ?? [])))
    }
  }
}
