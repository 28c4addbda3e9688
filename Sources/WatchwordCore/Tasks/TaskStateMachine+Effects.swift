/// What the machine of a task wants done.
extension TaskStateMachine {
  /// What the session does for the task.
  package enum Effect: Sendable {
    case send(HopRequest)
    /// Read and hash the request's body, then say `bodyRead`.
    case readBody
    /// Take the server's token and make the next one, then say `negotiated`.
    case negotiate(NegotiationStep)
    case body(BodyFate)
    /// Nothing more comes: read what there is of the page.
    case readPage
    indirect case ask(ChallengeQuestion)
    case askRedirect(RedirectedRequest, response: ResponseHead)
    case report(AuthenticationStateMachine.TrialReport)
    /// Write a warning to the log.
    case warn(WeakerOffer)
    /// Write to the log that the task has made exchanges without progress.
    case warnOfExchanges
    case redirected(RedirectRecord, ResponseHead?)
    /// The refusal or redirect whose body is held is the result; `isWhole` is false when its time limit has cut it.
    case deliverHeld(isWhole: Bool)
    case finish(TaskFailure?)
  }

  /// What happens to the body of the response whose head has just arrived.
  package enum BodyFate: Sendable, Equatable {
    /// To the task's output.
    case deliver
    /// Kept aside as far as there is room: the response may become the result.
    case hold
    case discard
    /// Waits for the verification of the head.
    case wait
    /// Kept aside until a parser has said what its beginning is; then `pageRead`.
    indirect case read(PageQuestion)

    /// Whether the bytes that have arrived wait for another fate.
    package var isDecidedLater: Bool {
      switch self {
      case .wait, .read: true
      case .deliver, .hold, .discard: false
      }
    }
  }
}
