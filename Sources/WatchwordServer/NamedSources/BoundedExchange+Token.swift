internal import WatchwordCore
internal import WatchwordProtocol
internal import WatchwordTransport
internal import WatchwordVocabulary

/// A request to an authorization server.
extension BoundedExchange {
  /// Servers may ask a directory; tasks wait.
  static let tokenSeconds = 20.0

  /// - Returns: false when the daemon's environment names a proxy that cannot be used.
  func start(_ request: TokenRequest, over engine: any ExchangeEngine, through proxies: ProxyRules?) -> Bool {
    let choice = proxies?.choice(for: request.url.origin)
    guard choice?.isUnusable != true else { return false }
    var partition = ConnectionPartition.common
    let way = choice?.proxy.map { ProxyHop(ofDaemon: $0, to: request.url.origin) }
    if let way {
      partition.proxy = ConnectionPartition.ProxyRoute(
        way.proxy, credential: way.credential, partition: .common)
    }
    let exchange = ExchangeRequest(
      url: request.url, method: "POST",
      headers: [
        HeaderField("Content-Type", "application/x-www-form-urlencoded"),
        HeaderField("Accept", "application/json"),
      ], authorization: request.authorization, proxy: way)
    start(exchange, .secret(request.content), over: engine, in: partition)
    return true
  }
}

extension TokenReply.Answer {
  /// - Parameter isOfDevice: whether a device code was asked for, not a token.
  init(_ answer: BoundedExchange.Answer, isOfDevice: Bool) {
    let members = answer.body.withBytes { TokenReply.members(answer.head, $0, isOfDevice: isOfDevice) }
    self.init(status: answer.head.status, members)
  }
}

extension SourceFault {
  init(_ failure: BoundedExchange.Failure) {
    switch failure {
    case .transport(let error): self.init(error)
    case .timedOut: self = .timedOut
    case .tooLarge: self = .tooLarge
    case .noResponse: self = .malformed
    }
  }

  private init(_ error: TransportError) {
    switch error {
    case .serverTrustRejected, .serverTrustUndecided: self = .untrusted
    case .timedOut: self = .timedOut
    case .bodyTooLarge, .headersTooLarge, .overBudget: self = .tooLarge
    case .malformedResponse, .contentDecodingFailed, .connectionFlooded: self = .malformed
    case .atProxy, .nameNotResolved, .connectionFailed, .connectionLost, .tlsFailed,
      .clientCertificateUndecided, .clientCertificateRefused, .addressRefused, .boundConnectionLost,
      .bodyNotReplayable, .requestBodyFailed, .cancelled, .proxyAuthenticationRequired, .proxyRefused,
      .socksRefused, .proxyMalformed, .other:
      self = .unreachable
    }
  }
}
