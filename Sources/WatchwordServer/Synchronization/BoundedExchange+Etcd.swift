internal import WatchwordCore
internal import WatchwordProtocol
internal import WatchwordSecret
internal import WatchwordTransport
internal import WatchwordVocabulary

/// A request to an endpoint of etcd.
extension BoundedExchange {
  /// Another member may answer sooner.
  static let etcdReadSeconds = 10.0
  /// A member whose leader was lost keeps a write for seven seconds before it says so; the next member may know the new
  /// leader after one. What became of the first try is found out by the revision.
  static let etcdWriteSeconds = 2.0

  func start(
    _ request: EtcdRequest, to endpoint: RequestURL, token: Secret?, over engine: any ExchangeEngine
  ) {
    // etcd's gateway takes a token without a scheme.
    let exchange = ExchangeRequest(
      url: endpoint.sibling(path: request.path, query: nil), method: "POST",
      headers: [HeaderField("Content-Type", "application/json"), HeaderField("Accept", "application/json")],
      authorization: token, body: .secret(request.body), timeouts: timeouts, decodesContent: false)
    start(exchange, over: engine)
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
    case .bodyTooLarge, .headersTooLarge: self = .tooLarge
    case .malformedResponse, .contentDecodingFailed, .connectionFlooded: self = .malformed
    case .atProxy, .nameNotResolved, .connectionFailed, .connectionLost, .addressRefused,
      .boundConnectionLost, .bodyNotReplayable, .requestBodyFailed, .cancelled,
      .proxyAuthenticationRequired, .proxyRefused, .socksRefused, .proxyMalformed, .other:
      self = .unreachable
    }
  }
}
