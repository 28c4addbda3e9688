package import WatchwordCore
package import WatchwordJSON

/// `task/didReceiveResponse`: the head of the response that the task delivers.
package struct TaskDidReceiveResponse: TaskNotification {
  package let task: String
  package let session: String
  package let url: String
  package let head: ResponseHead

  package init(task: String, session: String, url: String, head: ResponseHead) {
    self.task = task
    self.session = session
    self.url = url
    self.head = head
  }

  package var name: StaticString { "task/didReceiveResponse" }

  package func writeMembers(to writer: inout JSONWriter) {
    writer.member("url", url)
    writer.member("status", head.status)
    writer.member("protocol", head.networkProtocol)
    writer.key("headers")
    writer.headers(head.headers)
  }
}
