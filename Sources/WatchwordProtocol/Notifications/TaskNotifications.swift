package import WatchwordCore
package import WatchwordMessages
package import WatchwordVocabulary

/// `task/didReceiveHead`: a response came that is not the result, a refusal that was answered or a proxy's
/// reply to CONNECT.
extension Sent.TaskDidReceiveHead {
  /// The proxy's state of a login is not the caller's, as in errors.
  ///
  /// - Parameter url: without userinfo.
  package init(task: String, session: String, hop: Hop, url: String, head: ResponseHead) {
    let fields = head.headers.filter {
      hop == .origin || !Sent.Challenge.hiddenFields.contains($0.name.asciiLowercased)
    }
    self.init(
      task: task, session: session, hop: hop.rawValue, url: url, status: head.status,
      protocol: head.networkProtocol, headers: fields, details: head.details?.sent)
  }
}

/// `task/didReceiveResponse`: the head of the response that the task delivers.
extension Sent.TaskDidReceiveResponse {
  package init(task: String, session: String, url: String, head: ResponseHead, isLoginPage: Bool) {
    self.init(
      task: task, session: session, url: url, status: head.status, protocol: head.networkProtocol,
      headers: head.headers, loginPage: isLoginPage ? true : nil, details: head.details?.sent)
  }
}

/// `task/didRedirect`: the task continues at another URL.
extension Sent.TaskDidRedirect {
  /// - Parameters:
  ///   - from: without userinfo, as `to`.
  ///   - response: the redirect itself.
  package init(task: String, session: String, from: String, to: String, response: ResponseHead) {
    self.init(
      task: task, session: session, status: response.status, from: from, to: to,
      protocol: response.networkProtocol, headers: response.headers, details: response.details?.sent)
  }
}

/// `task/willRedirect`: the request that would follow a redirect; the task waits for `redirect/reply`.
extension Sent.TaskWillRedirect {
  /// - Parameter sensitiveHeaders: names, in lower case, of the fields that the caller marked as secret.
  package init(
    task: String, session: String, response: ResponseHead, request: RequestStep,
    sensitiveHeaders: Set<String>
  ) {
    self.init(
      task: task, session: session,
      response: Sent.TaskWillRedirectResponse(status: response.status, headers: response.headers),
      request: Sent.TaskWillRedirectRequest(
        url: request.url.text, method: request.method,
        headers: SensitiveFields.hidden(in: request.headers, and: sensitiveHeaders)))
  }
}
