package import WatchwordJSON

/// A notification about a task: they arrive in order, and none after `task/didFinish`.
package protocol TaskNotification: OutgoingNotification {
  var task: String { get }
  var session: String { get }
  /// Writes the members after `task` and `session`.
  func writeMembers(to writer: inout JSONWriter)
}

extension TaskNotification {
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("task", task)
    writer.member("session", session)
    writeMembers(to: &writer)
    writer.endObject()
  }
}
