package import WatchwordCore
package import WatchwordJSON
package import WatchwordMessages
internal import WatchwordPrimitives
package import WatchwordVocabulary

/// `task/didReceiveHead`: a response came that is not the result, a refusal that was answered or a proxy's reply to
/// CONNECT.
package struct TaskDidReceiveHead: OutgoingNotification, Describing {
  package let task: String
  package let session: String
  package let hop: Hop
  /// Without userinfo.
  package let url: String
  package let head: ResponseHead

  package init(task: String, session: String, hop: Hop, url: String, head: ResponseHead) {
    self.task = task
    self.session = session
    self.hop = hop
    self.url = url
    self.head = head
  }

  package var name: StaticString { "task/didReceiveHead" }

  /// The proxy's state of a login is not the caller's, as in errors.
  package var sent: Sent.TaskDidReceiveHead {
    let fields = head.headers.filter {
      hop == .origin || !ChallengeDescription.hiddenFields.contains($0.name.asciiLowercased)
    }
    return Sent.TaskDidReceiveHead(
      task: task, session: session, hop: hop.rawValue, url: url, status: head.status,
      protocol: head.networkProtocol, headers: fields, details: head.details?.sent)
  }
}

/// `task/didReceiveResponse`: the head of the response that the task delivers.
package struct TaskDidReceiveResponse: OutgoingNotification, Describing {
  package let task: String
  package let session: String
  package let url: String
  package let head: ResponseHead
  package let isLoginPage: Bool

  package init(task: String, session: String, url: String, head: ResponseHead, isLoginPage: Bool) {
    self.task = task
    self.session = session
    self.url = url
    self.head = head
    self.isLoginPage = isLoginPage
  }

  package var name: StaticString { "task/didReceiveResponse" }

  package var sent: Sent.TaskDidReceiveResponse {
    Sent.TaskDidReceiveResponse(
      task: task, session: session, url: url, status: head.status, protocol: head.networkProtocol,
      headers: head.headers, loginPage: isLoginPage ? true : nil, details: head.details?.sent)
  }
}

/// `task/didReceiveData`: a part of the body, for output `stream`.
package struct TaskDidReceiveData: OutgoingNotification {
  package let task: String
  package let session: String
  /// Bytes of the body before these.
  package let offset: Int64
  /// Lent while the notification is written.
  package let bytes: UnsafeRawBufferPointer

  package init(task: String, session: String, offset: Int64, bytes: UnsafeRawBufferPointer) {
    self.task = task
    self.session = session
    self.offset = offset
    self.bytes = bytes
  }

  package var name: StaticString { "task/didReceiveData" }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("task", task)
    writer.member("session", session)
    writer.member("offset", offset)
    writer.key("base64")
    writer.base64(bytes)
    writer.endObject()
  }
}

/// `task/didSendBodyData`: how much of the request's body has been sent.
package struct TaskDidSendBodyData: OutgoingNotification, Describing {
  package let task: String
  package let session: String
  package let bytesSent: Int64
  /// Nil when the body comes from a pipe.
  package let totalBytes: Int64?

  package init(task: String, session: String, bytesSent: Int64, totalBytes: Int64?) {
    self.task = task
    self.session = session
    self.bytesSent = bytesSent
    self.totalBytes = totalBytes
  }

  package var name: StaticString { "task/didSendBodyData" }

  package var sent: Sent.TaskDidSendBodyData {
    Sent.TaskDidSendBodyData(
      task: task, session: session, bytesSent: Int(bytesSent), totalBytes: totalBytes.map { Int($0) })
  }
}

/// `task/didRedirect`: the task continues at another URL.
package struct TaskDidRedirect: OutgoingNotification, Describing {
  package let task: String
  package let session: String
  /// URLs without userinfo.
  package let from: String
  package let to: String
  /// The redirect itself.
  package let response: ResponseHead

  package init(task: String, session: String, from: String, to: String, response: ResponseHead) {
    self.task = task
    self.session = session
    self.from = from
    self.to = to
    self.response = response
  }

  package var name: StaticString { "task/didRedirect" }

  package var sent: Sent.TaskDidRedirect {
    Sent.TaskDidRedirect(
      task: task, session: session, status: response.status, from: from, to: to,
      protocol: response.networkProtocol, headers: response.headers, details: response.details?.sent)
  }
}

/// `task/willRedirect`: the request that would follow a redirect; the task waits for `redirect/reply`.
package struct TaskWillRedirect: OutgoingNotification, Describing {
  package let task: String
  package let session: String
  package let response: ResponseHead
  package let request: RedirectedRequest
  /// Names, in lower case, of the fields that the caller marked as secret.
  package let sensitiveHeaders: Set<String>

  package init(
    task: String, session: String, response: ResponseHead, request: RedirectedRequest,
    sensitiveHeaders: Set<String>
  ) {
    self.task = task
    self.session = session
    self.response = response
    self.request = request
    self.sensitiveHeaders = sensitiveHeaders
  }

  package var name: StaticString { "task/willRedirect" }

  package var sent: Sent.TaskWillRedirect {
    Sent.TaskWillRedirect(
      task: task, session: session,
      response: Sent.TaskWillRedirectResponse(status: response.status, headers: response.headers),
      request: Sent.TaskWillRedirectRequest(
        url: request.url.text, method: request.method,
        headers: SensitiveFields.hidden(in: request.headers, and: sensitiveHeaders)))
  }
}

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
