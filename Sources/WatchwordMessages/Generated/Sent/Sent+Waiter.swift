package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// A task that waits for the answer and its process.
  package struct Waiter: SentObject {
    package let task: String
    /// Null for a detached task whose connection is gone.
    package let pid: Int?
    package let uid: Int
    /// A hint for display, never a right.
    package let executable: String?

    package init(task: String, pid: Int?, uid: Int, executable: String?) {
      self.task = task
      self.pid = pid
      self.uid = uid
      self.executable = executable
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("task", task)
      writer.member("pid", pid)
      writer.member("uid", uid)
      writer.member("executable", executable)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      task = try object.member("task")
      pid = try object.member("pid")
      uid = try object.member("uid")
      executable = try object.member("executable")
    }
  }
}
