package import WatchwordCore
package import WatchwordJSON
internal import WatchwordVocabulary

/// `task/willRedirect`: the request that would follow a redirect; the task waits for `redirect/reply`.
package struct TaskWillRedirect: TaskNotification {
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

  package func writeMembers(to writer: inout JSONWriter) {
    writer.key("response")
    writer.beginObject()
    writer.member("status", response.status)
    writer.key("headers")
    writer.headers(response.headers)
    writer.endObject()
    writer.key("request")
    writer.beginObject()
    writer.member("url", request.url.text)
    writer.member("method", request.method)
    writer.key("headers")
    writer.headers(SensitiveFields.hidden(in: request.headers, and: sensitiveHeaders))
    writer.endObject()
  }
}
