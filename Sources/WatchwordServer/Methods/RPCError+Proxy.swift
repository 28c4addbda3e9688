internal import WatchwordCore
internal import WatchwordMessages
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
    return RPCError.proxyAuthenticationFailed(
      "\(name(proxy)) \(deed)", status: head?.status, headers: head.map(shownFields)
    ).at(proxy, url)
  }

  /// The credential for the proxy could not be used, or the proxy did not prove itself.
  static func proxyAuthentication(
    _ failure: AuthenticationFailure, at url: RequestURL, through proxy: Proxy?
  ) -> RPCError {
    let error = RPCError(.authentication(failure), at: proxy?.url ?? url)
    return error.at(proxy, url, saying: "\(name(proxy)): \(error.message)")
  }

  static func proxyFailure(
    _ error: TransportError, at url: RequestURL, through proxy: Proxy?
  ) -> RPCError {
    let name = name(proxy)
    func failed(_ reason: ProxyFault, _ text: String, processed: String? = nil) -> RPCError {
      RPCError.proxyFailed(text, reason: reason, processed: processed).at(proxy, url)
    }
    switch error {
    case .atProxy(.atProxy), .atProxy(.proxyRefused), .atProxy(.socksRefused), .atProxy(.proxyMalformed),
      .atProxy(.proxyAuthenticationRequired), .proxyAuthenticationRequired:
      return failed(.other, "the transport failed at \(name)")
    case .atProxy(let error): return proxyFailure(error, at: url, through: proxy)
    case .proxyRefused(let head):
      return RPCError.proxyFailed(
        "\(name) opens no tunnel to \(url.origin): status \(head.status)", reason: ProxyFault.refused,
        status: head.status, headers: shownFields(of: head)
      ).at(proxy, url)
    case .socksRefused(let fault):
      return RPCError.proxyFailed(
        "\(name) opens no connection to \(url.origin): \(fault.text)", reason: fault
      ).at(proxy, url)
    case .proxyMalformed(let setting): return failed(.malformedURL, "\(setting) is not the URL of a proxy")
    case .nameNotResolved: return failed(.nameNotResolved, "the name of \(name) was not resolved")
    case .connectionFailed(let fault):
      return failed(.connectionFailed, "no connection to \(name)\(cause(fault?.text))")
    case .connectionLost(let loss):
      return failed(
        .connectionLost, "the connection through \(name) was lost", processed: loss.processed.rawValue)
    case .malformedResponse: return failed(.malformedResponse, "the answer of \(name) is not HTTP")
    case .headersTooLarge: return failed(.headersTooLarge, "the header fields of \(name) are too large")
    case .connectionFlooded:
      return failed(.flood, "\(name) sends without end what is no part of a response")
    case .other(let code): return failed(.other, "the transport failed at \(name) (\(code))")
    // What ends a fetch at an origin in the same way has the origin's kind; only the hop differs.
    case .timedOut, .tlsFailed, .serverTrustUndecided, .serverTrustRejected, .clientCertificateUndecided,
      .clientCertificateRefused, .addressRefused, .boundConnectionLost, .bodyTooLarge, .contentDecodingFailed,
      .overBudget, .bodyNotReplayable, .requestBodyFailed, .cancelled:
      let error = RPCError(.transport(error), at: proxy?.url ?? url)
      return error.at(proxy, url, saying: "\(name): \(error.message)")
    }
  }

  private func at(_ proxy: Proxy?, _ url: RequestURL, saying text: String? = nil) -> RPCError {
    at(.proxy, url.textWithoutQuery, proxy: proxy?.text, saying: text)
  }

  private static func name(_ proxy: Proxy?) -> String { proxy.map { "the proxy \($0.text)" } ?? "the proxy" }

  /// The header fields of a proxy, without those that carry the state of a login.
  private static func shownFields(of head: ResponseHead) -> [HeaderField] {
    head.headers.filter { !Sent.Challenge.hiddenFields.contains($0.name.asciiLowercased) }
  }
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
