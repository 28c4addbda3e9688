package import WatchwordVocabulary

/// Where the machine of a task is.
extension TaskStateMachine {
  package enum Phase: Sendable, Equatable {
    case ready
    case readingBody
    /// The exchange has ended, and its page, which may be a login form, is read by the parser.
    case readingPage(FormRule)
    /// Other tasks send the space's nonce first.
    case awaitingTurn
    /// The token that the next exchange carries is being made.
    case makingToken
    /// A head has arrived whose token is being verified.
    indirect case verifying(ResponseHead)
    case exchanging(ExchangeRequest)
    /// A head has arrived; what happens when its body has ended.
    case receiving(Continuation)
    indirect case asking(ChallengeQuestion)
    /// A handshake was stopped to ask: nothing of the request has been sent.
    indirect case askingInHandshake(ChallengeQuestion, unsent: ExchangeRequest)
    /// Whether to make the step to which a redirect of this status leads.
    indirect case askingRedirect(RequestStep, status: Int)
    case finished
  }

  package enum Continuation: Sendable, Equatable {
    case finish
    case retry
    case retryInTurn
    /// The same request once more, sent in another way.
    case sendAgain(ExchangeRequest)
    case ask
    /// The step to which a redirect of this status leads.
    case follow(RequestStep, status: Int)
    case askRedirect(RequestStep, response: ResponseHead)
    /// What the page is decides.
    case readPage(FormRule)
    case followLogin(RequestURL)
    /// The proxy has opened the tunnel that the task asked for.
    case goThroughTunnel
    /// The login is over: the task's own request again.
    case beginAgain
    case fail(TaskFailure)
  }
}
