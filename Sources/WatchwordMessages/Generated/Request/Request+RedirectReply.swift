package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `redirect/reply`. Answers task/willRedirect.
  package struct RedirectReply: MethodRequest {
    package typealias Result = Sent.TaskReference
    package static let method = "redirect/reply"

    package let task: String
    package let request: Request.RedirectReplyRequest?

    package init(task: String, request: Request.RedirectReplyRequest?) {
      self.task = task
      self.request = request
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("task", task)
      writer.member("request", request)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      task = try object.member("task")
      request = try object.member("request")
    }
  }
}
