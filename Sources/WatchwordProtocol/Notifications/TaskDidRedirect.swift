package import WatchwordJSON

/// `task/didRedirect`: the task continues at another URL.
package struct TaskDidRedirect: TaskNotification {
  package let task: String
  package let session: String
  package let redirect: Fetch.Reply.Redirect

  package init(task: String, session: String, redirect: Fetch.Reply.Redirect) {
    self.task = task
    self.session = session
    self.redirect = redirect
  }

  package var name: StaticString { "task/didRedirect" }

  package func writeMembers(to writer: inout JSONWriter) {
    writer.member("status", redirect.status)
    writer.member("from", redirect.from)
    writer.member("to", redirect.to)
  }
}
