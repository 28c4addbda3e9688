internal import WatchwordCore
internal import WatchwordProtocol
internal import WatchwordTransport
internal import WatchwordVocabulary

/// A request to an endpoint of etcd.
extension BoundedExchange {
  /// Of what the machine sets no other time.
  static let etcdReadSeconds = 10.0
  static let etcdProbeSeconds = 5.0
  func start(
    _ request: EtcdRequest, to endpoint: RequestURL, token: Secret?, over engine: any ExchangeEngine
  ) {
    // etcd's gateway takes a token without a scheme.
    let exchange = ExchangeRequest(
      url: endpoint.sibling(path: request.path, query: nil), method: "POST",
      headers: [HeaderField("Content-Type", "application/json"), HeaderField("Accept", "application/json")],
      authorization: token, proxy: nil)
    start(exchange, .secret(request.body), over: engine)
  }
}

extension EtcdFailure {
  init(_ failure: BoundedExchange.Failure) {
    self =
      switch failure {
      case .transport(let error): .refusal(.fault(SynchronizationFault(error)))
      case .timedOut: .refusal(.fault(.timedOut))
      case .tooLarge: .tooLarge
      case .noResponse: .refusal(.fault(.malformed))
      }
  }
}

extension SynchronizationFault {
  fileprivate init(_ error: TransportError) {
    switch error {
    case .serverTrustRejected, .serverTrustUndecided, .tlsFailed, .clientCertificateUndecided,
      .clientCertificateRefused:
      self = .untrusted
    case .timedOut: self = .timedOut
    case .bodyTooLarge, .headersTooLarge, .overBudget: self = .tooLarge
    case .malformedResponse, .contentDecodingFailed, .connectionFlooded: self = .malformed
    case .atProxy, .nameNotResolved, .connectionFailed, .connectionLost, .addressRefused,
      .boundConnectionLost, .bodyNotReplayable, .requestBodyFailed, .cancelled,
      .proxyAuthenticationRequired, .proxyRefused, .socksRefused, .proxyMalformed, .other:
      self = .unreachable
    }
  }
}
