internal import WatchwordVocabulary

/// Tokens of connection-bound methods, which are made and verified outside (methods.md 14).
extension TaskStateMachine {
  mutating func tokenMade(_ outcome: NegotiationOutcome, _ context: Context) -> [Effect] {
    let attempt = attempt(context, at: asker)
    let outcome = step(at: asker) {
      $0.negotiated(outcome, attempt)
    }
    return goOn(outcome, context)
  }

  /// The server's last token, which came with this head, was verified, or is false.
  mutating func verified(_ outcome: NegotiationOutcome, _ head: ResponseHead, _ context: Context) -> [Effect]
  {
    let attempt = attempt(context, at: asker)
    if case .fail(let failure) = step(at: asker, { $0.verified(outcome, attempt) }) {
      return receive(.fail(failed(failure)))
    }
    let effects = serverProved(head, context)
    guard case .receiving = phase, let end = endOfVerified.take() else { return effects }
    return effects + react(to: .exchangeEnded(end.error, body: end.body), context)
  }

  /// The server of the head has proved itself.
  private mutating func serverProved(_ head: ResponseHead, _ context: Context) -> [Effect] {
    if asker == .proxy {
      guard proxy?.isTunnel(to: currentStep.url.origin) == true else {
        return originAnswered(head, context)
      }
      return receive(.goThroughTunnel)
    }
    return receive(redirect(head, context))
  }

  /// The connection of a negotiation is gone: the next one begins with a first token.
  mutating func beginsNegotiationAgain(_ request: ExchangeRequest, _ context: Context) -> [Effect] {
    guard restarts < AuthenticationStateMachine.restartLimit else {
      return finish(failed(.negotiation(.failed)))
    }
    restarts += 1
    return sendAgain(request, context)
  }
}
