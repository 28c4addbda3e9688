package import WatchwordJSON

/// What the daemon sends unasked. Made from `protocol/openrpc.json` by `protocol/generate`.
package enum Notification: Sendable {
  /// To the session delegate that is asked about serverTrust, clientCertificate, negotiate or ntlm. Answer
  /// with challenge/reply.
  case sessionDidReceiveChallenge(Sent.Challenge)
  /// To the connection that is asked, in every other case. Answer with challenge/reply.
  case taskDidReceiveChallenge(Sent.Challenge)
  /// A challenge is over. To the holders that were asked.
  case challengeDidSettle(Sent.ChallengeDidSettle)
  /// With the policy ask. Answer with redirect/reply.
  case taskWillRedirect(Sent.TaskWillRedirect)
  /// A redirect was followed. Of task/start; of fetch only with output stream.
  case taskDidRedirect(Sent.TaskDidRedirect)
  /// The head of a response that is not the result: of a refusal that was answered, or of a proxy's refusal
  /// or reply to CONNECT. Of task/start; of fetch only with output stream.
  case taskDidReceiveHead(Sent.TaskDidReceiveHead)
  /// The final response's head. Of task/start; of fetch only with output stream.
  case taskDidReceiveResponse(Sent.TaskDidReceiveResponse)
  /// A piece of the body. With output stream.
  case taskDidReceiveData(Sent.TaskDidReceiveData)
  /// Progress of the request body. Of task/start with a body.
  case taskDidSendBodyData(Sent.TaskDidSendBodyData)
  /// The last notification of a task: the members of fetch's result, or error. Of task/start.
  case taskDidFinish(Sent.TaskEnd)
  /// A session's credentials, or the uid's permanent identities, changed. To the session's holders that are
  /// not restricted.
  case credentialDidChange(Sent.CredentialDidChange)
  /// The session is gone. To the session's holders.
  case sessionDidInvalidate(Sent.SessionDidInvalidate)
  /// A new snapshot. To the connections of status/subscribe.
  case statusDidChange(Sent.StatusSnapshot)
  /// Of a later version.
  case other(method: String)

  package init(_ method: String, _ parameters: JSONNode?) throws(ReadFault) {
    func read<Value: Readable>() throws(ReadFault) -> Value {
      guard let parameters else { throw ReadFault("is missing", at: "params") }
      return try Value(reading: parameters)
    }
    switch method {
    case "session/didReceiveChallenge": self = .sessionDidReceiveChallenge(try read())
    case "task/didReceiveChallenge": self = .taskDidReceiveChallenge(try read())
    case "challenge/didSettle": self = .challengeDidSettle(try read())
    case "task/willRedirect": self = .taskWillRedirect(try read())
    case "task/didRedirect": self = .taskDidRedirect(try read())
    case "task/didReceiveHead": self = .taskDidReceiveHead(try read())
    case "task/didReceiveResponse": self = .taskDidReceiveResponse(try read())
    case "task/didReceiveData": self = .taskDidReceiveData(try read())
    case "task/didSendBodyData": self = .taskDidSendBodyData(try read())
    case "task/didFinish": self = .taskDidFinish(try read())
    case "credential/didChange": self = .credentialDidChange(try read())
    case "session/didInvalidate": self = .sessionDidInvalidate(try read())
    case "status/didChange": self = .statusDidChange(try read())
    default: self = .other(method: method)
    }
  }

  package var method: String {
    switch self {
    case .sessionDidReceiveChallenge: "session/didReceiveChallenge"
    case .taskDidReceiveChallenge: "task/didReceiveChallenge"
    case .challengeDidSettle: "challenge/didSettle"
    case .taskWillRedirect: "task/willRedirect"
    case .taskDidRedirect: "task/didRedirect"
    case .taskDidReceiveHead: "task/didReceiveHead"
    case .taskDidReceiveResponse: "task/didReceiveResponse"
    case .taskDidReceiveData: "task/didReceiveData"
    case .taskDidSendBodyData: "task/didSendBodyData"
    case .taskDidFinish: "task/didFinish"
    case .credentialDidChange: "credential/didChange"
    case .sessionDidInvalidate: "session/didInvalidate"
    case .statusDidChange: "status/didChange"
    case .other(let method): method
    }
  }

  /// Writes the parameters.
  package func write(to writer: inout JSONWriter) {
    switch self {
    case .sessionDidReceiveChallenge(let parameters): parameters.write(to: &writer)
    case .taskDidReceiveChallenge(let parameters): parameters.write(to: &writer)
    case .challengeDidSettle(let parameters): parameters.write(to: &writer)
    case .taskWillRedirect(let parameters): parameters.write(to: &writer)
    case .taskDidRedirect(let parameters): parameters.write(to: &writer)
    case .taskDidReceiveHead(let parameters): parameters.write(to: &writer)
    case .taskDidReceiveResponse(let parameters): parameters.write(to: &writer)
    case .taskDidReceiveData(let parameters): parameters.write(to: &writer)
    case .taskDidSendBodyData(let parameters): parameters.write(to: &writer)
    case .taskDidFinish(let parameters): parameters.write(to: &writer)
    case .credentialDidChange(let parameters): parameters.write(to: &writer)
    case .sessionDidInvalidate(let parameters): parameters.write(to: &writer)
    case .statusDidChange(let parameters): parameters.write(to: &writer)
    case .other: Sent.Empty().write(to: &writer)
    }
  }
}
