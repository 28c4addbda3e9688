package import WatchwordJSON

/// A task as `task/list` and `task/describe` show it.
package struct TaskDescription {
  package let task: String
  package let session: String
  package let url: String
  package let method: String
  package let state: String
  package let isDetached: Bool
  package let bytesReceived: Int64

  package init(
    task: String, session: String, url: String, method: String, state: String, isDetached: Bool,
    bytesReceived: Int64
  ) {
    self.task = task
    self.session = session
    self.url = url
    self.method = method
    self.state = state
    self.isDetached = isDetached
    self.bytesReceived = bytesReceived
  }

  package func writeMembers(to writer: inout JSONWriter) {
    writer.member("task", task)
    writer.member("session", session)
    writer.member("url", url)
    writer.member("method", method)
    writer.member("state", state)
    writer.member("detached", isDetached)
    writer.member("bytesReceived", bytesReceived)
  }
}
