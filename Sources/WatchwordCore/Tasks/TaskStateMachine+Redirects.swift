internal import WatchwordVocabulary

/// Where redirects lead, and those that the caller is asked about.
extension TaskStateMachine {
  func redirectDecision(
    _ head: ResponseHead, _ policy: RedirectPolicy, _ resolve: (String, RequestURL) -> RedirectTarget
  ) -> RedirectDecision {
    guard RedirectPolicy.isRedirect(head.status) else { return .notARedirect }
    let locations = Set(head.headers.values(of: "location"))
    let target: RedirectTarget =
      switch locations.count {
      case 0: .absent
      case 1: locations.first.map { resolve($0, hop.url) } ?? .absent
      default: .malformed
      }
    return policy.decision(status: head.status, target: target, from: hop, after: redirects.count)
  }

  /// What the widest policy would make of the response: where it leads, whether it is followed or not.
  func widestDecision(
    _ head: ResponseHead, _ resolve: (String, RequestURL) -> RedirectTarget
  ) -> RedirectDecision {
    var policy = RedirectPolicy()
    policy.limit = Int.max
    policy.allowsDowngrade = true
    return redirectDecision(head, policy, resolve)
  }

  /// The request that waits for the caller's answer.
  package var proposedRedirect: RedirectedRequest? {
    if case .askingRedirect(let request) = phase { return request }
    return nil
  }

  /// The proposed request with the caller's changes.
  package func redirect(
    _ proposed: RedirectedRequest, changedBy change: RedirectChange
  ) throws(RedirectFault) -> RedirectedRequest {
    try redirectPolicy.request(proposed, changedBy: change, from: hop, after: redirects.count)
  }
}
