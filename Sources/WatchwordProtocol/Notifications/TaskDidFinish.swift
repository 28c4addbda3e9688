package import WatchwordJSON
package import WatchwordMessages

/// `task/didFinish`: the last notification of a task, with the result of `fetch` or the error.
package enum TaskDidFinish: OutgoingNotification {
  case success(Sent.FetchResult)
  case failure(task: String, session: String, RPCError)

  package var name: StaticString { "task/didFinish" }

  package func write(to writer: inout JSONWriter) {
    switch self {
    case .success(let reply): reply.write(to: &writer)
    case .failure(let task, let session, let error):
      writer.beginObject()
      writer.member("task", task)
      writer.member("session", session)
      writer.key("error")
      error.write(to: &writer)
      writer.endObject()
    }
  }
}
