/// What the task does with a redirect.
package enum RedirectDecision: Sendable, Equatable {
  case notARedirect
  /// The response itself is the result.
  case deliver
  case follow(RedirectedRequest)
  /// The caller receives the request and decides.
  case ask(RedirectedRequest)
  case refuse(RedirectFault)
}
