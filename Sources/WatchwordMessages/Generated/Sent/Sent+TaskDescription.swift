package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// A task, with the result or the error of a detached one that has finished.
  package struct TaskDescription: SentObject {
    package let task: String
    package let session: String
    /// Without userinfo.
    package let url: String
    package let method: String
    package let state: String
    package let detached: Bool
    package let bytesReceived: Int
    /// Of a detached task that has finished.
    package let result: Sent.FetchResult?
    /// Of a detached task that has failed.
    package let error: JSONValue?

    package init(
      task: String, session: String, url: String, method: String, state: String, detached: Bool,
      bytesReceived: Int, result: Sent.FetchResult?, error: JSONValue?
    ) {
      self.task = task
      self.session = session
      self.url = url
      self.method = method
      self.state = state
      self.detached = detached
      self.bytesReceived = bytesReceived
      self.result = result
      self.error = error
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("task", task)
      writer.member("session", session)
      writer.member("url", url)
      writer.member("method", method)
      writer.member("state", state)
      writer.member("detached", detached)
      writer.member("bytesReceived", bytesReceived)
      if let result { writer.member("result", result) }
      if let error { writer.member("error", error) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      task = try object.member("task")
      session = try object.member("session")
      url = try object.member("url")
      method = try object.member("method")
      state = try object.member("state")
      detached = try object.member("detached")
      bytesReceived = try object.member("bytesReceived")
      result = try object.memberIfPresent("result")
      error = try object.memberIfPresent("error")
    }
  }
}
