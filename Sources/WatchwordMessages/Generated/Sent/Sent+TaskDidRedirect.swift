package import WatchwordJSON
package import WatchwordVocabulary

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// The parameters of `task/didRedirect`. A redirect was followed. Of task/start; of fetch only with output
  /// stream.
  package struct TaskDidRedirect: SentObject {
    package let task: String
    package let session: String
    package let status: Int
    package let from: String
    package let to: String
    package let `protocol`: String
    package let headers: [HeaderField]

    package init(
      task: String, session: String, status: Int, from: String, to: String, `protocol`: String,
      headers: [HeaderField]
    ) {
      self.task = task
      self.session = session
      self.status = status
      self.from = from
      self.to = to
      self.protocol = `protocol`
      self.headers = headers
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("task", task)
      writer.member("session", session)
      writer.member("status", status)
      writer.member("from", from)
      writer.member("to", to)
      writer.member("protocol", `protocol`)
      writer.member("headers", headers)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      task = try object.member("task")
      session = try object.member("session")
      status = try object.member("status")
      from = try object.member("from")
      to = try object.member("to")
      `protocol` = try object.member("protocol")
      headers = try object.member("headers")
    }
  }
}
