internal import WatchwordVocabulary

/// Tokens of connection-bound methods, which are made and verified outside (methods.md 14).
extension TaskStateMachine {
  func tokenMade(_ outcome: NegotiationOutcome, _ context: Context) -> [Effect] {
    goOn(reported(machine(at: asker).negotiated(outcome, attempt(context, at: asker))), context)
  }

  /// The server's last token, which came with this head, was verified, or is false.
  func verified(_ outcome: NegotiationOutcome, _ head: ResponseHead, _ context: Context) -> [Effect] {
    let outcome = reported(machine(at: asker).verified(outcome, attempt(context, at: asker)))
    if case .fail(let failure) = outcome {
      return receive(.fail(failed(failure)))
    }
    let effects = serverProved(head, context)
    guard case .receiving = phase, let end = endOfVerified.take() else { return effects }
    return effects + react(to: .exchangeEnded(end.error, body: end.body), context)
  }

  /// The server of the head has proved itself.
  private func serverProved(_ head: ResponseHead, _ context: Context) -> [Effect] {
    if asker == .proxy {
      guard proxy?.isTunnel(to: currentStep.url.origin) == true else {
        return originAnswered(head, context)
      }
      return receive(.goThroughTunnel)
    }
    return receive(redirect(head, context))
  }

  /// The connection of a negotiation is gone: the next one begins with a first token.
  func beginsNegotiationAgain(_ request: ExchangeRequest, _ context: Context) -> [Effect] {
    guard restarts < AuthenticationStateMachine.restartLimit else {
      return finish(failed(.negotiation(.failed)))
    }
    restarts += 1
    return sendAgain(request, context)
  }
}
