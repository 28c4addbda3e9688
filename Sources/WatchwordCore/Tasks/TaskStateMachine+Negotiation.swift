/// Tokens of connection-bound methods, which are made and verified outside (challenges.md 14).
extension TaskStateMachine {
  /// A token was made, or the server's last one verified.
  package mutating func negotiated(
    _ outcome: NegotiationOutcome, _ context: Context, cache: inout CredentialCache
  ) -> [Effect] {
    switch phase {
    case .makingToken:
      let step = authentication.negotiated(
        outcome, for: use(context), canAsk: context.canAsk, cache: &cache)
      return step.news(before: goOn(step.outcome, context, &cache))
    case .verifying(let head):
      let step = authentication.verified(outcome, for: use(context), cache: &cache)
      if case .fail(let failure) = step.outcome {
        return step.news(before: [.body(.discard)] + finish(.authentication(failure)))
      }
      let continuation = redirect(head, context)
      if case .fail(let failure) = continuation {
        return step.news(before: [.body(.discard)] + finish(failure))
      }
      phase = .receiving(continuation)
      let effects = step.news(before: [.body(fate(continuation))])
      guard let end = endOfVerified.take() else { return effects }
      return effects + exchangeFinished(end.error, body: end.body, context, cache: &cache)
    case .ready, .readingBody, .readingPage, .awaitingTurn, .exchanging, .receiving, .asking,
      .askingInHandshake,
      .askingRedirect, .finished:
      return []
    }
  }

  /// The connection of a negotiation is gone: the next one begins with a first token.
  mutating func beginsNegotiationAgain(
    _ request: HopRequest, _ context: Context, _ cache: inout CredentialCache
  ) -> [Effect] {
    guard restarts < AuthenticationStateMachine.restartLimit else {
      return finish(.authentication(.negotiation(.failed)))
    }
    restarts += 1
    return sendAgain(request, context, &cache)
  }
}
