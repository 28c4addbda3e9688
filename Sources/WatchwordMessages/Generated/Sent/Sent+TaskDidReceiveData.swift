package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// The parameters of `task/didReceiveData`. A piece of the body. With output stream.
  package struct TaskDidReceiveData: SentObject {
    package let task: String
    package let session: String
    package let offset: Int
    package let base64: String

    package init(task: String, session: String, offset: Int, base64: String) {
      self.task = task
      self.session = session
      self.offset = offset
      self.base64 = base64
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("task", task)
      writer.member("session", session)
      writer.member("offset", offset)
      writer.member("base64", base64)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      task = try object.member("task")
      session = try object.member("session")
      offset = try object.member("offset")
      base64 = try object.member("base64")
    }
  }
}
