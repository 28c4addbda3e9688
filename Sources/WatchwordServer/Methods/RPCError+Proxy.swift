internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordPrimitives
internal import WatchwordProtocol
internal import WatchwordVocabulary

/// Maps failures at a proxy, and on the way through it, to errors of the protocol: `data.hop` is `proxy`.
extension RPCError {
  /// The proxy refuses the request until it gets a credential.
  static func proxyAuthentication(
    _ head: ResponseHead?, at url: RequestURL, through proxy: Proxy?
  ) -> RPCError {
    // What the URL has was sent before anybody would have been asked.
    let wasGiven = proxy?.url.userinfo?.password != nil
    let deed = wasGiven ? "refused the user and password of its URL" : "asks for a credential"
    return make(.proxyAuthenticationFailed, "\(name(proxy)) \(deed)", url, proxy, response(head))
  }

  /// The credential for the proxy could not be used, or the proxy did not prove itself.
  static func proxyAuthentication(
    _ failure: AuthenticationFailure, at url: RequestURL, through proxy: Proxy?
  ) -> RPCError {
    RPCError(.authentication(failure), at: proxy?.url ?? url).at(proxy, url)
  }

  static func proxyFailure(
    _ error: TransportError, at url: RequestURL, through proxy: Proxy?
  ) -> RPCError {
    func failed(_ reason: ProxyFault, _ text: String, _ details: [JSONObject.Member] = []) -> RPCError {
      proxyFailed(reason.rawValue, text, details)
    }
    func proxyFailed(_ reason: String, _ text: String, _ details: [JSONObject.Member]) -> RPCError {
      make(
        .proxyFailed, text, url, proxy, [JSONObject.Member(name: "reason", value: .string(reason))] + details)
    }
    switch error {
    case .proxyRefused(let head):
      return failed(
        .refused, "\(name(proxy)) opens no tunnel to \(url.origin): status \(head.status)", response(head))
    case .socksRefused(let fault):
      return proxyFailed(
        fault.rawValue, "\(name(proxy)) opens no connection to \(url.origin): \(fault.text)", [])
    case .proxyMalformed(let setting):
      return failed(.malformedURL, "\(setting) is not the URL of a proxy")
    case .atProxy(let error): return atProxy(error, at: url, through: proxy, failed)
    case .nameNotResolved, .connectionFailed, .connectionLost, .connectionFlooded, .timedOut,
      .malformedResponse,
      .headersTooLarge, .bodyTooLarge, .contentDecodingFailed, .overBudget, .tlsFailed, .serverTrustUndecided,
      .clientCertificateUndecided, .clientCertificateRefused, .serverTrustRejected, .addressRefused,
      .boundConnectionLost,
      .bodyNotReplayable, .requestBodyFailed, .cancelled, .other, .proxyAuthenticationRequired:
      return atProxy(error, at: url, through: proxy, failed)
    }
  }

  private static func atProxy(
    _ error: TransportError, at url: RequestURL, through proxy: Proxy?,
    _ failed: (ProxyFault, String, [JSONObject.Member]) -> RPCError
  ) -> RPCError {
    switch error {
    case .nameNotResolved: failed(.nameNotResolved, "the name of \(name(proxy)) was not resolved", [])
    case .connectionFailed(let fault):
      failed(.connectionFailed, "no connection to \(name(proxy))\(cause(fault?.text))", [])
    case .connectionLost(let loss):
      failed(
        .connectionLost, "the connection through \(name(proxy)) was lost",
        [JSONObject.Member(name: "processed", value: .string(loss.processed.rawValue))])
    case .malformedResponse: failed(.malformedResponse, "the answer of \(name(proxy)) is not HTTP", [])
    case .headersTooLarge: failed(.headersTooLarge, "the header fields of \(name(proxy)) are too large", [])
    case .connectionFlooded:
      failed(.flood, "\(name(proxy)) sends without end what is no part of a response", [])
    case .other(let code): failed(.other, "the transport failed at \(name(proxy)) (\(code))", [])
    // What ends a fetch at an origin in the same way has the origin's kind; only the hop differs.
    case .timedOut, .tlsFailed, .serverTrustUndecided, .serverTrustRejected, .clientCertificateUndecided,
      .clientCertificateRefused, .addressRefused, .boundConnectionLost, .bodyTooLarge, .contentDecodingFailed,
      .overBudget,
      .bodyNotReplayable,
      .requestBodyFailed, .cancelled:
      RPCError(.transport(error), at: proxy?.url ?? url).at(proxy, url)
    case .proxyAuthenticationRequired, .proxyRefused, .socksRefused, .proxyMalformed, .atProxy:
      failed(.other, "the transport failed at \(name(proxy))", [])
    }
  }

  /// The same error with the proxy as its hop.
  private func at(_ proxy: Proxy?, _ url: RequestURL) -> RPCError {
    let others = details.members.filter { $0.name != "hop" && $0.name != "url" && $0.name != "kind" }
    return RPCError(
      kind, "\(RPCError.name(proxy)): \(message)",
      details: JSONObject(RPCError.hop(url, proxy) + others))
  }

  private static func make(
    _ kind: ErrorKind, _ text: String, _ url: RequestURL, _ proxy: Proxy?, _ details: [JSONObject.Member]
  ) -> RPCError {
    RPCError(kind, text, details: JSONObject(hop(url, proxy) + details))
  }

  private static func hop(_ url: RequestURL, _ proxy: Proxy?) -> [JSONObject.Member] {
    [
      JSONObject.Member(name: "hop", value: .string(Hop.proxy.rawValue)),
      JSONObject.Member(name: "url", value: .string(url.textWithoutQuery)),
    ] + (proxy.map { [JSONObject.Member(name: "proxy", value: .string($0.text))] } ?? [])
  }

  private static func name(_ proxy: Proxy?) -> String { proxy.map { "the proxy \($0.text)" } ?? "the proxy" }

  /// Status and header fields of a proxy, without those that carry the state of a login.
  private static func response(_ head: ResponseHead?) -> [JSONObject.Member] {
    guard let head else { return [] }
    let fields = head.headers.filter { !Sent.Challenge.hiddenFields.contains($0.name.asciiLowercased) }
    return [
      JSONObject.Member(name: "status", value: .integer(Int64(head.status))),
      JSONObject.Member(
        name: "headers", value: .array(fields.map { .array([.string($0.name), .string($0.value)]) })),
    ]
  }
}

/// What failed at a proxy or on the way through it: the reasons of `proxyFailed` that are not a SOCKS proxy's.
private enum ProxyFault: String {
  case nameNotResolved
  case connectionFailed
  case connectionLost
  case malformedResponse
  case headersTooLarge
  /// It sends without end what is no part of a response.
  case flood
  /// It answered CONNECT with a status other than 2xx and 407.
  case refused
  /// A variable of the daemon's environment has no URL of a proxy.
  case malformedURL
  case other
}

extension SOCKSFault {
  fileprivate var text: String {
    switch self {
    case .malformedReply: "its reply is not SOCKS"
    case .noAcceptableMethod: "it accepts no method of authentication that is known here"
    case .refused: "it refused"
    case .generalFailure: "it failed"
    case .connectionNotAllowed: "its rules forbid it"
    case .networkUnreachable: "the network is unreachable"
    case .hostUnreachable: "the host is unreachable"
    case .connectionRefused: "the origin refused"
    case .timeToLiveExpired: "the time to live expired"
    case .commandNotSupported: "it does not support the command"
    case .addressTypeNotSupported: "it does not support the type of address"
    }
  }
}
