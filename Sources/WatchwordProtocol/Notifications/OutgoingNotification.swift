package import WatchwordJSON

/// A message that the daemon sends of its own accord, and that nobody answers. None carries a secret.
package protocol OutgoingNotification {
  var name: StaticString { get }
  /// Writes `params`.
  func write(to writer: inout JSONWriter)
}

/// One about a task: they arrive in order, and none after `task/didFinish`.
package protocol TaskNotification: OutgoingNotification {
  var task: String { get }
  var session: String { get }
  /// Writes what stands beside `task` and `session`.
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

extension Envelope {
  package static func notification(
    to writer: inout JSONWriter, _ notification: some OutgoingNotification, descriptors: Int = 0
  ) {
    self.notification(to: &writer, notification.name, descriptors: descriptors, notification.write)
  }
}
