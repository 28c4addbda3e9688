package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// The task that a request was about.
  package struct TaskReference: SentObject {
    package let task: String

    package init(task: String) {
      self.task = task
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("task", task)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      task = try object.member("task")
    }
  }
}
