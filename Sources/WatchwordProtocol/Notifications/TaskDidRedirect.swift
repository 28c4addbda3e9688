package import WatchwordCore
package import WatchwordJSON

/// `task/didRedirect`: the task continues at another URL.
package struct TaskDidRedirect: TaskNotification {
  package let task: String
  package let session: String
  /// URLs without userinfo.
  package let from: String
  package let to: String
  /// The redirect itself.
  package let response: ResponseHead

  package init(task: String, session: String, from: String, to: String, response: ResponseHead) {
    self.task = task
    self.session = session
    self.from = from
    self.to = to
    self.response = response
  }

  package var name: StaticString { "task/didRedirect" }

  package func writeMembers(to writer: inout JSONWriter) {
    writer.member("status", response.status)
    writer.member("from", from)
    writer.member("to", to)
    writer.member("protocol", response.networkProtocol)
    writer.key("headers")
    writer.headers(response.headers)
  }
}
