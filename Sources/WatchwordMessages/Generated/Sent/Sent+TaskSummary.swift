package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// A task.
  package struct TaskSummary: SentObject {
    package let task: String
    package let session: String
    /// Without userinfo.
    package let url: String
    package let method: String
    package let state: String
    package let detached: Bool
    package let bytesReceived: Int

    package init(
      task: String, session: String, url: String, method: String, state: String, detached: Bool,
      bytesReceived: Int
    ) {
      self.task = task
      self.session = session
      self.url = url
      self.method = method
      self.state = state
      self.detached = detached
      self.bytesReceived = bytesReceived
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("task", task)
      writer.member("session", session)
      writer.member("url", url)
      writer.member("method", method)
      writer.member("state", state)
      writer.member("detached", detached)
      writer.member("bytesReceived", bytesReceived)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      task = try object.member("task")
      session = try object.member("session")
      url = try object.member("url")
      method = try object.member("method")
      state = try object.member("state")
      detached = try object.member("detached")
      bytesReceived = try object.member("bytesReceived")
    }
  }
}
