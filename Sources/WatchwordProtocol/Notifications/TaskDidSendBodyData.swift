package import WatchwordMessages

/// `task/didSendBodyData`: how much of the request's body has been sent.
package struct TaskDidSendBodyData: OutgoingNotification, Describing {
  package let task: String
  package let session: String
  package let bytesSent: Int64
  /// Nil when the body comes from a pipe.
  package let totalBytes: Int64?

  package init(task: String, session: String, bytesSent: Int64, totalBytes: Int64?) {
    self.task = task
    self.session = session
    self.bytesSent = bytesSent
    self.totalBytes = totalBytes
  }

  package var name: StaticString { "task/didSendBodyData" }

  package var sent: Sent.TaskDidSendBodyData {
    Sent.TaskDidSendBodyData(
      task: task, session: session, bytesSent: Int(bytesSent), totalBytes: totalBytes.map { Int($0) })
  }
}
