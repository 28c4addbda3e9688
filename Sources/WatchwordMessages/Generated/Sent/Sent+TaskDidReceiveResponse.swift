package import WatchwordJSON
package import WatchwordVocabulary

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// The parameters of `task/didReceiveResponse`. The final response's head. Of task/start; of fetch only
  /// with output stream.
  package struct TaskDidReceiveResponse: SentObject {
    package let task: String
    package let session: String
    package let url: String
    package let status: Int
    package let `protocol`: String
    package let headers: [HeaderField]
    package let loginPage: Bool?

    package init(
      task: String, session: String, url: String, status: Int, `protocol`: String, headers: [HeaderField],
      loginPage: Bool?
    ) {
      self.task = task
      self.session = session
      self.url = url
      self.status = status
      self.protocol = `protocol`
      self.headers = headers
      self.loginPage = loginPage
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("task", task)
      writer.member("session", session)
      writer.member("url", url)
      writer.member("status", status)
      writer.member("protocol", `protocol`)
      writer.member("headers", headers)
      if let loginPage { writer.member("loginPage", loginPage) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      task = try object.member("task")
      session = try object.member("session")
      url = try object.member("url")
      status = try object.member("status")
      `protocol` = try object.member("protocol")
      headers = try object.member("headers")
      loginPage = try object.memberIfPresent("loginPage")
    }
  }
}
