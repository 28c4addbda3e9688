internal import WatchwordVocabulary

/// Questions of a TLS handshake, which was stopped before the request was sent.
extension TaskStateMachine {
  /// Handshakes of one step that may stop to ask; it bounds a server that shows another chain each time.
  static let maximumHandshakeQuestions = 8

  /// Nil when the exchange ended for another reason.
  func handshakeStopped(
    by error: TransportError, before request: ExchangeRequest, _ context: Context
  ) -> [Effect]? {
    guard case .atProxy(let error) = error else {
      return handshakeStopped(by: error, with: nil, before: request, context)
    }
    return request.proxy.flatMap {
      handshakeStopped(by: error, with: $0.proxy, before: request, context)
    }
  }

  private func handshakeStopped(
    by error: TransportError, with proxy: Proxy?, before request: ExchangeRequest, _ context: Context
  ) -> [Effect]? {
    let origin = proxy?.origin ?? currentStep.url.origin
    return switch error {
    case .serverTrustUndecided(let trust):
      ask(
        ProtectionSpace(origin: origin, serverTrust: trust, proxyType: proxy?.type), before: request,
        orEnd: .serverTrustRejected(trust.faults))
    case .clientCertificateUndecided(let certificateRequest):
      ask(
        ProtectionSpace(origin: origin, certificateRequest: certificateRequest, proxyType: proxy?.type),
        before: request, orEnd: .clientCertificateRefused(.certificateRequired),
        callersWays: context.memory.ways.choices(
          to: origin, by: RequestRoute(), for: use(context).task, isForm: false))
    case .nameNotResolved, .connectionFailed, .connectionLost, .connectionFlooded, .timedOut,
      .malformedResponse,
      .headersTooLarge,
      .bodyTooLarge, .contentDecodingFailed, .overBudget, .tlsFailed, .serverTrustRejected,
      .clientCertificateRefused,
      .addressRefused, .boundConnectionLost, .bodyNotReplayable, .requestBodyFailed, .cancelled, .other,
      .proxyAuthenticationRequired, .proxyRefused, .socksRefused, .proxyMalformed, .atProxy:
      nil
    }
  }

  private func ask(
    _ space: ProtectionSpace, before request: ExchangeRequest, orEnd error: TransportError,
    callersWays: [CallersWay.Choice] = []
  ) -> [Effect] {
    guard askedSpaces.count < TaskStateMachine.maximumHandshakeQuestions else {
      return finish(.transport(space.isProxy ? .atProxy(error) : error))
    }
    // The same question again means that the server refused the answer.
    let failures = askedSpaces.filter { $0 == space }.count
    askedSpaces.append(space)
    let question = ChallengeQuestion(
      url: currentStep.url, space: space, offers: [], proposed: nil, previousFailureCount: failures,
      failureResponse: nil, callersWays: callersWays)
    phase = .askingInHandshake(question, unsent: request)
    return [.ask(question)]
  }

  /// Takes the board's verdict: only a decision lets the handshake start again (challenges.md 5.10).
  func handshakeAnswered(
    _ verdict: ChallengeVerdict, to question: ChallengeQuestion, _ unsent: ExchangeRequest, _ context: Context
  ) -> [Effect] {
    noteAnswer(verdict)
    switch verdict {
    case .useStored:
      return sendAgain(unsent, context)
    case .cancel:
      return finish(.authentication(.userCancelled))
    case .rejectServerTrust, .nextOffer, .sourceFailed, .excludeOffer, .deliverRefusal, .tryCredential,
      .useCredential:
      let error = TransportError.serverTrustRejected(question.space.serverTrust?.faults ?? [])
      return finish(.transport(question.space.isProxy ? .atProxy(error) : error))
    }
  }
}
