/// Why a task ends without a response. A 401 that stays a 401 is a result, not a failure.
package enum TaskFailure: Error, Sendable, Equatable {
  case authentication(AuthenticationFailure)
  case authenticationAtProxy(AuthenticationFailure)
  /// The proxy refuses the request until it gets a credential, and there is none; its response, which SOCKS
  /// lacks.
  indirect case proxyAuthentication(ResponseHead?)
  case redirect(RedirectFault)
  /// It has made exchanges without end that led nowhere.
  case tooManyExchanges
  case transport(TransportError)
  /// The administrator's rule of this name forbids it.
  case policyRefused(rule: String)
  /// The rules of its restricted connection do not allow it.
  case restricted(RestrictionFault)
  /// `task/cancel`, the connection that started it is closed, or its session has been invalidated.
  case cancelled
  /// The daemon has stopped before the task ended.
  case interrupted
  /// `$/cancelRequest` named the fetch.
  case requestCancelled
  /// Writing to the caller's descriptor failed, with this `errno`.
  case outputFailed(Int32)
  /// The body is larger than the output allows.
  case bodyTooLarge(BodyLimit)
  /// The body is not the part of a file that was asked for, or has another length than its head says.
  case partMismatch
  /// The whole body has arrived, and is not the one that was expected.
  case digestMismatch(IntegrityFault)
  /// The agent is locked, and no reply has unlocked it (storage.md 9.11).
  case agentLocked
  /// The uid would exceed its memory budget.
  case overBudget
}
