/// Redirects that the caller is asked about.
extension TaskStateMachine {
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
