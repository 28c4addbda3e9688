internal import Glibc
internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordVocabulary

/// Maps failures of the lower layers to errors of the protocol, for all of them.
extension RPCError {
  @ReactorActor
  init(_ failure: TaskFailure, of task: FetchTask) {
    let proxy = task.known.proxy
    let rules = task.session.requirements(for: task.url.origin).rules
    guard case .transport(.tlsFailed(let fault)) = failure, fault?.isOfParameters ?? true, !rules.isEmpty
    else {
      self.init(failure, at: task.url, through: proxy)
      return
    }
    let error = RPCError(failure, at: task.url, through: proxy)
    self.init(
      .tlsFailed,
      "\(error.message); the administrator's rules ask for more than the session does: \(rules.joined(separator: ", "))",
      details: JSONObject(
        error.details.members + [
          JSONObject.Member(name: "rules", value: .array(rules.map { .string($0) }))
        ]))
  }

  init(_ failure: TaskFailure, at url: RequestURL, through proxy: Proxy? = nil) {
    switch failure {
    case .authentication(.userCancelled):
      self.init(.userCancelledAuthentication, "the challenge was cancelled")
    case .authentication(.serverNotAuthenticated):
      self.init(
        .serverNotAuthenticated, "the server did not prove that it knows the password or the key",
        details: ["hop": .string("origin"), "url": .string(url.textWithoutQuery)])
    case .authentication(.negotiation(let fault)):
      self.init(
        .authenticationFailed, "the credential for \(url.origin) cannot be used: \(fault.text)",
        details: [
          "hop": .string("origin"), "url": .string(url.textWithoutQuery), "reason": .string(fault.rawValue),
        ])
    case .authentication(.source(let failure)):
      self = .sourceFailed(failure, at: url)
    case .authentication(.loginForm(let fault)):
      self.init(
        .authenticationFailed, fault.text,
        details: [
          "hop": .string("origin"), "url": .string(url.textWithoutQuery), "reason": .string(fault.rawValue),
        ])
    case .authenticationAtProxy(let failure):
      self = RPCError.proxyAuthentication(failure, at: url, through: proxy)
    case .redirect(let fault): self = RPCError.redirect(fault)
    case .tooManyExchanges:
      self.init(
        .tooManyExchanges, "the requests to \(url.origin) lead nowhere",
        details: ["hop": .string("origin"), "url": .string(url.textWithoutQuery)])
    case .proxyAuthentication(let head): self = RPCError.proxyAuthentication(head, at: url, through: proxy)
    case .transport(let error): self = RPCError.transport(error, at: url, through: proxy)
    case .policyRefused(let rule):
      self.init(
        .policyRefused, "the administrator's rule \(rule) forbids this way to \(url.origin.host)",
        details: ["rule": .string(rule)])
    case .restricted(let fault): self = .restricted(fault)
    case .cancelled: self.init(.taskCancelled, "the task was cancelled")
    case .interrupted: self.init(.taskInterrupted, "the daemon stopped before the task ended")
    case .requestCancelled: self.init(.requestCancelled, "the request was cancelled")
    case .outputFailed(let error): self = .outputFailed(error)
    case .overBudget: self = .overBudget
    case .agentLocked: self = .agentLocked
    case .partMismatch:
      self.init(
        .malformedResponse, "the server did not send the part of the file that it was asked for",
        details: [
          "hop": .string("origin"), "url": .string(url.textWithoutQuery), "reason": .string("range"),
        ])
    case .digestMismatch(let fault):
      let whose = fault.expectedBy == .caller ? "the given digest" : "the digest that the server sent"
      self.init(
        .digestMismatch, "the body does not have \(whose) (\(fault.algorithm.rawValue))",
        details: [
          "hop": .string("origin"), "url": .string(url.textWithoutQuery),
          "algorithm": .string(fault.algorithm.rawValue), "expectedBy": .string(fault.expectedBy.rawValue),
        ])
    case .bodyTooLarge(let limit):
      let bound =
        switch limit {
        case .maximumBodyBytes: "the fetch allows"
        case .decodedBodyBytes: "\(limit.rawValue) of the session"
        case .inlineBodyBytes, .memoryBodyBytes:
          "\(limit.rawValue) of the session: take it with the output stream, or into a descriptor"
        }
      self.init(
        .bodyTooLarge, "the body is larger than \(bound)", details: ["limit": .string(limit.rawValue)])
    }
  }

  private static func sourceFailed(_ failure: SourceFailure, at url: RequestURL) -> RPCError {
    RPCError(
      .credentialSourceFailed, failure.text,
      details: [
        "hop": .string("origin"), "url": .string(url.textWithoutQuery), "source": .string(failure.name),
        "reason": .string(failure.fault.rawValue),
      ])
  }

  private static func redirect(_ fault: RedirectFault) -> RPCError {
    switch fault {
    case .tooManyRedirects: RPCError(.tooManyRedirects, "too many redirects")
    case .downgrade: RPCError(.redirectRefused, "a redirect leads from https to http")
    case .unsupportedScheme:
      RPCError(.redirectRefused, "a redirect leads to another scheme than http or https")
    case .malformedTarget: RPCError(.redirectRefused, "a redirect's Location is malformed")
    }
  }

  /// The end of a message.
  static func cause(_ text: String?) -> String { text.map { ": \($0)" } ?? "" }

  private static func reason<Fault: RawRepresentable<String>>(_ fault: Fault?) -> [JSONObject.Member] {
    fault.map { [JSONObject.Member(name: "reason", value: .string($0.rawValue))] } ?? []
  }

  private static func transport(
    _ error: TransportError, at url: RequestURL, through proxy: Proxy?
  ) -> RPCError {
    func make(_ kind: ErrorKind, _ text: String, _ details: [JSONObject.Member] = []) -> RPCError {
      RPCError(
        kind, text,
        details: JSONObject(
          [
            JSONObject.Member(name: "hop", value: .string("origin")),
            JSONObject.Member(name: "url", value: .string(url.textWithoutQuery)),
          ] + details))
    }
    switch error {
    case .nameNotResolved: return make(.nameNotResolved, "the host name \(url.origin.host) was not resolved")
    case .connectionFailed(let fault):
      return make(.connectionFailed, "no connection to \(url.origin)\(cause(fault?.text))", reason(fault))
    case .connectionLost(let loss):
      return make(
        .connectionLost, loss.text,
        [
          JSONObject.Member(name: "processed", value: .string(loss.processed.rawValue)),
          JSONObject.Member(name: "responseBegan", value: .bool(!loss.isBeforeFirstByte)),
        ])
    case .connectionFlooded:
      return make(
        .malformedResponse, "the server sends without end what is no part of a response",
        [JSONObject.Member(name: "reason", value: .string("flood"))])
    case .timedOut(let phase):
      return make(
        .timedOut, "timed out: \(phase.text)",
        [JSONObject.Member(name: "phase", value: .string(phase.rawValue))])
    case .malformedResponse: return make(.malformedResponse, "the response is not HTTP")
    case .headersTooLarge: return make(.headersTooLarge, "the response's header fields are too large")
    case .bodyTooLarge:
      return make(
        .bodyTooLarge, "the decoded body is larger than the session allows",
        [JSONObject.Member(name: "limit", value: .string(BodyLimit.decodedBodyBytes.rawValue))])
    case .contentDecodingFailed: return make(.contentDecodingFailed, "the body's coding is broken")
    case .overBudget: return .overBudget
    case .tlsFailed(let fault):
      return make(.tlsFailed, "the TLS handshake failed\(cause(fault?.text))", reason(fault))
    case .clientCertificateUndecided:
      return transport(.clientCertificateRefused(.certificateRequired), at: url, through: proxy)
    case .clientCertificateRefused(let fault): return make(.tlsFailed, fault.text, reason(fault))
    case .serverTrustUndecided(let trust):
      return transport(.serverTrustRejected(trust.faults), at: url, through: proxy)
    case .serverTrustRejected(let faults):
      let reasons = faults.map { fault in
        JSONValue.object(["reason": .string(fault.reason.rawValue), "depth": .integer(Int64(fault.depth))])
      }
      var texts: [String] = []
      for fault in faults where !texts.contains(fault.text) { texts.append(fault.text) }
      return make(
        .serverTrustRejected,
        faults.isEmpty
          ? "the server's certificate was not accepted"
          : "the server's certificate is not trusted: \(texts.joined(separator: ", "))",
        [JSONObject.Member(name: "reasons", value: .array(reasons))])
    case .boundConnectionLost:
      return make(.connectionFailed, "the connection that was being authenticated is gone")
    case .addressRefused: return make(.addressRefused, "the session refuses this address")
    case .bodyNotReplayable:
      return make(.bodyNotReplayable, "the body would have to be sent again, but was a stream")
    case .requestBodyFailed: return make(.descriptorUnusable, "reading the request body failed")
    case .cancelled: return make(.taskCancelled, "the task was cancelled")
    case .proxyAuthenticationRequired(let head): return proxyAuthentication(head, at: url, through: proxy)
    case .proxyRefused, .socksRefused, .proxyMalformed, .atProxy:
      return proxyFailure(error, at: url, through: proxy)
    case .other(let code): return make(.transportFailed, "the transport failed (\(code))")
    }
  }
}

extension RPCError {
  /// - Parameter error: `errno`.
  static func outputFailed(_ error: Int32) -> RPCError {
    let reason = String(cString: strerror(error)).lowercased()
    return RPCError(
      .outputFailed, "writing to the output failed: \(reason)", details: ["reason": .string(reason)])
  }
}

extension TimeoutPhase {
  /// For a person.
  fileprivate var text: String {
    switch self {
    case .connect: "no connection in time"
    case .request: "nothing has come in time"
    case .resource: "it has taken too long in all"
    }
  }
}
