package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `task/cancel`. Cancels a task: it fails with taskCancelled.
  package struct TaskCancel: MethodRequest {
    package typealias Result = Sent.TaskReference
    package static let method = "task/cancel"

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
