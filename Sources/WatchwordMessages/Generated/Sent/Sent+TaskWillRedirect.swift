package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// The parameters of `task/willRedirect`. With the policy ask. Answer with redirect/reply.
  package struct TaskWillRedirect: SentObject {
    package let task: String
    package let session: String
    package let response: Sent.TaskWillRedirectResponse
    package let request: Sent.TaskWillRedirectRequest

    package init(
      task: String, session: String, response: Sent.TaskWillRedirectResponse,
      request: Sent.TaskWillRedirectRequest
    ) {
      self.task = task
      self.session = session
      self.response = response
      self.request = request
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("task", task)
      writer.member("session", session)
      writer.member("response", response)
      writer.member("request", request)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      task = try object.member("task")
      session = try object.member("session")
      response = try object.member("response")
      request = try object.member("request")
    }
  }
}
