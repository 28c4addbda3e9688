/// What a redirect comes to.
package enum RedirectDecision: Sendable, Equatable {
  case notARedirect
  /// The response itself is the result.
  case deliver
  case follow(RedirectedRequest)
  /// The caller is shown the request and decides.
  case ask(RedirectedRequest)
  case refuse(RedirectFault)
}
