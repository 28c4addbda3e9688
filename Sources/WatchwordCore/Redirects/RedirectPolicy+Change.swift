internal import WatchwordVocabulary

extension RedirectPolicy {
  /// The `proposed` request with the caller's changes. Another URL is judged like the server's own redirect: from the
  /// same hop, by the same limits, and with the fields that may be sent to it.
  ///
  /// - Throws: the fault for which a redirect to the caller's URL would be refused.
  package func request(
    _ proposed: RedirectedRequest, changedBy change: RedirectChange, from hop: RedirectHop, after count: Int
  ) throws(RedirectFault) -> RedirectedRequest {
    var request = proposed
    if let url = change.url {
      var policy = self
      policy.mode = .follow
      switch policy.decision(status: proposed.status, target: .resolved(url), from: hop, after: count) {
      case .follow(let judged), .ask(let judged): request = judged
      case .refuse(let fault): throw fault
      case .notARedirect, .deliver: break
      }
    }
    if let method = change.method { request.method = method }
    if let headers = change.headers {
      request.headers = SensitiveFields.restored(in: headers, from: request.headers)
    }
    return request
  }
}
