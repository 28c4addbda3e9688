package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// The parameters of `task/didSendBodyData`. Progress of the request body. Of task/start with a body.
  package struct TaskDidSendBodyData: SentObject {
    package let task: String
    package let session: String
    package let bytesSent: Int
    package let totalBytes: Int?

    package init(task: String, session: String, bytesSent: Int, totalBytes: Int?) {
      self.task = task
      self.session = session
      self.bytesSent = bytesSent
      self.totalBytes = totalBytes
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("task", task)
      writer.member("session", session)
      writer.member("bytesSent", bytesSent)
      writer.member("totalBytes", totalBytes)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      task = try object.member("task")
      session = try object.member("session")
      bytesSent = try object.member("bytesSent")
      totalBytes = try object.member("totalBytes")
    }
  }
}
