package import WatchwordCore
package import WatchwordMessages

/// `task/didReceiveResponse`: the head of the response that the task delivers.
package struct TaskDidReceiveResponse: OutgoingNotification, Describing {
  package let task: String
  package let session: String
  package let url: String
  package let head: ResponseHead
  package let isLoginPage: Bool

  package init(task: String, session: String, url: String, head: ResponseHead, isLoginPage: Bool) {
    self.task = task
    self.session = session
    self.url = url
    self.head = head
    self.isLoginPage = isLoginPage
  }

  package var name: StaticString { "task/didReceiveResponse" }

  package var sent: Sent.TaskDidReceiveResponse {
    Sent.TaskDidReceiveResponse(
      task: task, session: session, url: url, status: head.status, protocol: head.networkProtocol,
      headers: head.headers, loginPage: isLoginPage ? true : nil)
  }
}
