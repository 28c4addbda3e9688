package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// How a task has failed.
  package struct TaskFailure: SentObject {
    package let task: String
    package let session: String
    package let error: JSONValue

    package init(task: String, session: String, error: JSONValue) {
      self.task = task
      self.session = session
      self.error = error
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("task", task)
      writer.member("session", session)
      writer.member("error", error)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      task = try object.member("task")
      session = try object.member("session")
      error = try object.member("error")
    }
  }
}
