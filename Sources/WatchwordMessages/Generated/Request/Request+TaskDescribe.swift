package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `task/describe`. Describes one task; for a finished detached one with its result or
  /// error.
  package struct TaskDescribe: MethodRequest {
    package typealias Result = Sent.TaskDescription
    package static let method = "task/describe"

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
