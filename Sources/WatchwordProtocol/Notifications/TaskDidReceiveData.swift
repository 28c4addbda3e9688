package import WatchwordJSON
internal import WatchwordMessages

/// `task/didReceiveData`: a part of the body, for output `stream`.
package struct TaskDidReceiveData: OutgoingNotification {
  package let task: String
  package let session: String
  /// Bytes of the body before these.
  package let offset: Int64
  /// Lent while the notification is written.
  package let bytes: UnsafeRawBufferPointer

  package init(task: String, session: String, offset: Int64, bytes: UnsafeRawBufferPointer) {
    self.task = task
    self.session = session
    self.offset = offset
    self.bytes = bytes
  }

  package var name: StaticString { "task/didReceiveData" }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("task", task)
    writer.member("session", session)
    writer.member("offset", offset)
    writer.key("base64")
    writer.base64(bytes)
    writer.endObject()
  }
}
