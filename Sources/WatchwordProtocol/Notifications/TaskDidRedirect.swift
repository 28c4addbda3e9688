package import WatchwordCore
package import WatchwordMessages

/// `task/didRedirect`: the task continues at another URL.
package struct TaskDidRedirect: OutgoingNotification, Describing {
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

  package var sent: Sent.TaskDidRedirect {
    Sent.TaskDidRedirect(
      task: task, session: session, status: response.status, from: from, to: to,
      protocol: response.networkProtocol, headers: response.headers)
  }
}
