package import WatchwordCore
package import WatchwordMessages
internal import WatchwordVocabulary

/// `task/willRedirect`: the request that would follow a redirect; the task waits for `redirect/reply`.
package struct TaskWillRedirect: OutgoingNotification, Describing {
  package let task: String
  package let session: String
  package let response: ResponseHead
  package let request: RedirectedRequest
  /// Names, in lower case, of the fields that the caller marked as secret.
  package let sensitiveHeaders: Set<String>

  package init(
    task: String, session: String, response: ResponseHead, request: RedirectedRequest,
    sensitiveHeaders: Set<String>
  ) {
    self.task = task
    self.session = session
    self.response = response
    self.request = request
    self.sensitiveHeaders = sensitiveHeaders
  }

  package var name: StaticString { "task/willRedirect" }

  package var sent: Sent.TaskWillRedirect {
    Sent.TaskWillRedirect(
      task: task, session: session,
      response: Sent.TaskWillRedirectResponse(status: response.status, headers: response.headers),
      request: Sent.TaskWillRedirectRequest(
        url: request.url.text, method: request.method,
        headers: SensitiveFields.hidden(in: request.headers, and: sensitiveHeaders)))
  }
}
