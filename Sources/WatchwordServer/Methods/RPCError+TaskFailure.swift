internal import Glibc
internal import WatchwordCore
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordVocabulary

/// Maps failures of the lower layers to errors of the protocol, for all of them.
extension RPCError {
  @ReactorActor
  init(_ failure: TaskFailure, of task: TaskDriver) {
    self.init(
      failure, at: task.url, through: task.known.machine.proxy,
      rules: task.session.requirements(for: task.url.origin).rules)
  }

  /// - Parameter rules: the administrator's that ask for more than the session does.
  init(_ failure: TaskFailure, at url: RequestURL, through proxy: Proxy? = nil, rules: [String] = []) {
    let place = url.textWithoutQuery
    switch failure {
    case .authentication(.userCancelled): self = .authentication(.userCancelled, at: url)
    case .authentication(let failure): self = RPCError.authentication(failure, at: url).at(.origin, place)
    case .authenticationAtProxy(let failure):
      self = .proxyAuthentication(failure, at: url, through: proxy)
    case .redirect(let fault): self = .redirect(fault)
    case .tooManyExchanges:
      self = .tooManyExchanges("the requests to \(url.origin) lead nowhere").at(.origin, place)
    case .proxyAuthentication(let head): self = .proxyAuthentication(head, at: url, through: proxy)
    case .transport(.tlsFailed(let fault)): self = RPCError.tlsFailed(fault, rules).at(.origin, place)
    case .transport(let error): self = .transport(error, at: url, through: proxy)
    case .policyRefused(let rule):
      self = .policyRefused(
        "the administrator's rule \(rule) forbids this way to \(url.origin.host)", rule: rule)
    case .restricted(let fault): self = .restricted(fault)
    case .cancelled: self = .taskCancelled("the task was cancelled")
    case .interrupted: self = .taskInterrupted("the daemon stopped before the task ended")
    case .requestCancelled: self = .requestCancelled("the request was cancelled")
    case .outputFailed(let error): self = .outputFailed(error)
    case .overBudget: self = .overBudget
    case .agentLocked: self = .agentLocked
    case .partMismatch:
      self = .malformedResponse(
        "the server did not send the part of the file that it was asked for", reason: "range"
      ).at(.origin, place)
    case .digestMismatch(let fault):
      let whose = fault.expectedBy == .caller ? "the given digest" : "the digest that the server sent"
      self = .digestMismatch(
        "the body does not have \(whose) (\(fault.algorithm.rawValue))", algorithm: fault.algorithm,
        expectedBy: fault.expectedBy
      ).at(.origin, place)
    case .bodyTooLarge(let limit):
      let bound =
        switch limit {
        case .maximumBodyBytes: "the fetch allows"
        case .decodedBodyBytes: "\(limit.rawValue) of the session"
        case .inlineBodyBytes, .memoryBodyBytes:
          "\(limit.rawValue) of the session: take it with the output stream, or into a descriptor"
        }
      self = .bodyTooLarge("the body is larger than \(bound)", limit: limit)
    }
  }

  private static func authentication(_ failure: AuthenticationFailure, at url: RequestURL) -> RPCError {
    switch failure {
    case .userCancelled: .userCancelledAuthentication("the challenge was cancelled")
    case .serverNotAuthenticated:
      .serverNotAuthenticated("the server did not prove that it knows the password or the key")
    case .negotiation(let fault):
      .authenticationFailed(
        "the credential for \(url.origin) cannot be used: \(fault.text)", reason: fault)
    case .source(let failure):
      .credentialSourceFailed(failure.text, source: failure.name, reason: failure.fault)
    case .loginForm(let fault): .authenticationFailed(fault.text, reason: fault)
    }
  }

  private static func redirect(_ fault: RedirectFault) -> RPCError {
    switch fault {
    case .tooManyRedirects: .tooManyRedirects("too many redirects")
    case .downgrade: .redirectRefused("a redirect leads from https to http")
    case .unsupportedScheme: .redirectRefused("a redirect leads to another scheme than http or https")
    case .malformedTarget: .redirectRefused("a redirect's Location is malformed")
    }
  }

  /// The end of a message.
  static func cause(_ text: String?) -> String { text.map { ": \($0)" } ?? "" }

  private static func tlsFailed(_ fault: HandshakeFault?, _ rules: [String]) -> RPCError {
    let text = "the TLS handshake failed\(cause(fault?.text))"
    guard fault?.isOfParameters ?? true, !rules.isEmpty else {
      return .tlsFailed(text, reason: fault?.rawValue)
    }
    let asked = rules.joined(separator: ", ")
    return .tlsFailed(
      "\(text); the administrator's rules ask for more than the session does: \(asked)",
      reason: fault?.rawValue, rules: rules)
  }

  /// What failed at the origin, or before it.
  private static func transport(
    _ error: TransportError, at url: RequestURL, through proxy: Proxy?
  ) -> RPCError {
    switch error {
    case .overBudget: .overBudget
    case .proxyAuthenticationRequired(let head): proxyAuthentication(head, at: url, through: proxy)
    case .proxyRefused, .socksRefused, .proxyMalformed, .atProxy:
      proxyFailure(error, at: url, through: proxy)
    case .nameNotResolved, .connectionFailed, .connectionLost, .connectionFlooded, .timedOut,
      .malformedResponse, .headersTooLarge, .bodyTooLarge, .contentDecodingFailed, .tlsFailed,
      .clientCertificateUndecided, .clientCertificateRefused, .serverTrustUndecided, .serverTrustRejected,
      .boundConnectionLost, .addressRefused, .bodyNotReplayable, .requestBodyFailed, .cancelled, .other:
      exchange(error, with: url.origin).at(.origin, url.textWithoutQuery)
    }
  }

  private static func exchange(_ error: TransportError, with origin: Origin) -> RPCError {
    switch error {
    case .nameNotResolved: return .nameNotResolved("the host name \(origin.host) was not resolved")
    case .connectionFailed(let fault):
      return .connectionFailed(
        "no connection to \(origin)\(cause(fault?.text))", reason: fault?.rawValue)
    case .connectionLost(let loss):
      return .connectionLost(
        loss.text, processed: loss.processed, responseBegan: !loss.isBeforeFirstByte)
    case .connectionFlooded:
      return .malformedResponse(
        "the server sends without end what is no part of a response", reason: "flood")
    case .timedOut(let phase): return .timedOut("timed out: \(phase.text)", phase: phase)
    case .malformedResponse: return .malformedResponse("the response is not HTTP")
    case .headersTooLarge: return .headersTooLarge("the response's header fields are too large")
    case .bodyTooLarge:
      return .bodyTooLarge(
        "the decoded body is larger than the session allows", limit: BodyLimit.decodedBodyBytes)
    case .contentDecodingFailed: return .contentDecodingFailed("the body's coding is broken")
    case .tlsFailed(let fault): return tlsFailed(fault, [])
    case .clientCertificateUndecided:
      return exchange(.clientCertificateRefused(.certificateRequired), with: origin)
    case .clientCertificateRefused(let fault): return .tlsFailed(fault.text, reason: fault.rawValue)
    case .serverTrustUndecided(let trust): return exchange(.serverTrustRejected(trust.faults), with: origin)
    case .serverTrustRejected(let faults):
      var texts: [String] = []
      for fault in faults where !texts.contains(fault.text) { texts.append(fault.text) }
      return .serverTrustRejected(
        faults.isEmpty
          ? "the server's certificate was not accepted"
          : "the server's certificate is not trusted: \(texts.joined(separator: ", "))",
        reasons: faults)
    case .boundConnectionLost:
      return .connectionFailed("the connection that was being authenticated is gone")
    case .addressRefused: return .addressRefused("the session refuses this address")
    case .bodyNotReplayable:
      return .bodyNotReplayable("the body would have to be sent again, but was a stream")
    case .requestBodyFailed:
      return .descriptorUnusable("reading the request body failed", path: "params.body.descriptor")
    case .cancelled: return .taskCancelled("the task was cancelled")
    case .overBudget, .proxyAuthenticationRequired, .proxyRefused, .socksRefused, .proxyMalformed, .atProxy:
      return .transportFailed("the transport failed")
    case .other(let code): return .transportFailed("the transport failed (\(code))")
    }
  }
}

extension RPCError {
  /// - Parameter error: `errno`.
  static func outputFailed(_ error: Int32) -> RPCError {
    let reason = String(cString: strerror(error)).lowercased()
    return .outputFailed("writing to the output failed: \(reason)", reason: reason)
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
