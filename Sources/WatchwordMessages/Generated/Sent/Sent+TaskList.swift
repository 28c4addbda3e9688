package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// The tasks of a session.
  package struct TaskList: SentObject {
    package let tasks: [Sent.TaskSummary]

    package init(tasks: [Sent.TaskSummary]) {
      self.tasks = tasks
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("tasks", tasks)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      tasks = try object.member("tasks")
    }
  }
}
