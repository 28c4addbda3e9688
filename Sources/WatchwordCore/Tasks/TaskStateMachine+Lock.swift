internal import WatchwordVocabulary

/// The task waits until the agent is unlocked, and goes on then (storage.md 9.11.4).
extension TaskStateMachine {
  /// The agent is locked, and the task has no exchange: it keeps nothing that it would send, and prepares
  /// again later.
  func held(_ context: Context) {
    switch phase {
    case .exchanging: takeBackAll(context)
    case .askingInHandshake:
      // The same question will come again, and it has no reply yet.
      _ = askedSpaces.popLast()
      takeBackAll(context)
    case .ready, .readingBody, .readingPage, .awaitingTurn, .makingToken, .verifying, .receiving, .asking,
      .askingRedirect, .finished:
      break
    }
    authentication.forgetCredentials()
    proxyAuthentication?.forgetCredentials()
  }

  private func takeBackAll(_ context: Context) {
    connectionsLost(context)
    releaseTurns(context.memory)
    if forms.login != nil { forgetLogin() }
    forms.isLoginAwaited = false
    phase = .awaitingTurn
  }
}

extension AuthenticationStateMachine {
  /// Forgets the credentials that the task was given. What servers have refused stays known.
  func forgetCredentials() {
    for space in spaces.keys { spaces[space]?.own = nil }
    (next, phase) = (.nothing, .idle)
    (logins.open, negotiation) = (nil, nil)
  }
}
