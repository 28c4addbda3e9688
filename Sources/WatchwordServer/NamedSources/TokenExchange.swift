internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordSecret
internal import WatchwordTransport
internal import WatchwordVocabulary

/// One request to an authorization server, within its bounds of time and bytes: no redirect is followed and no 401
/// answered.
@ReactorActor
final class TokenExchange {
  /// Servers may ask a directory; tasks wait.
  private static let seconds = 20.0

  /// Whether a device code is asked for, not a token.
  private let isOfDevice: Bool
  private let then: @ReactorActor (Result<TokenReply.Answer, SourceFault>) -> Void
  private var exchange: (any Exchange)?
  private var timer: LoopTimer?
  private var head: ResponseHead?
  private var body = WipedBytes()
  private var isTooLarge = false
  private var isOver = false

  init(
    isOfDevice: Bool = false,
    then: @escaping @ReactorActor (Result<TokenReply.Answer, SourceFault>) -> Void
  ) {
    self.isOfDevice = isOfDevice
    self.then = then
  }

  func start(_ request: TokenRequest, over engine: any ExchangeEngine, through proxies: ProxyRules?) {
    var exchange = ExchangeRequest(
      url: request.url, method: "POST",
      headers: [
        HeaderField("Content-Type", "application/x-www-form-urlencoded"),
        HeaderField("Accept", "application/json"),
      ], authorization: request.authorization, body: .secret(request.content),
      timeouts: ExchangeTimeouts(connectSeconds: Self.seconds, requestSeconds: Self.seconds),
      decodesContent: false)
    let choice = proxies?.choice(for: request.url.origin)
    guard choice?.isUnusable != true else { return finish(.failure(.unreachable)) }
    if let proxy = choice?.proxy {
      let way = ProxyHop(ofDaemon: proxy, to: request.url.origin)
      exchange.proxy = way
      exchange.partition.proxy = ConnectionPartition.ProxyRoute(
        proxy, credential: way.credential, partition: .common)
    }
    timer = EventLoop.shared.schedule(after: Self.seconds) { [self] in
      self.exchange?.cancel()
      finish(.failure(.timedOut))
    }
    self.exchange = engine.start(exchange, delegate: self)
  }

  func cancel() {
    exchange?.cancel()
    isOver = true
    release()
  }

  private func finish(_ result: Result<TokenReply.Answer, SourceFault>) {
    guard !isOver else { return }
    isOver = true
    release()
    then(result)
  }

  private func release() {
    timer?.cancel()
    timer = nil
    exchange = nil
    body.removeAll()
  }
}

extension TokenExchange: ExchangeDelegate {
  func authorization(for exchange: any Exchange) -> Secret? { nil }
  func proxyAuthorization(for exchange: any Exchange) -> Secret? { nil }
  func exchange(_ exchange: any Exchange, didOpenTunnel head: ResponseHead?) {}
  func exchange(_ exchange: any Exchange, didTake content: UnsafeRawBufferPointer) {}
  func exchange(_ exchange: any Exchange, didSendBody total: Int64) {}

  func exchange(_ exchange: any Exchange, didReceive head: ResponseHead) {
    self.head = head
  }

  func exchange(_ exchange: any Exchange, didReceive bytes: UnsafeRawBufferPointer) -> BodyAnswer {
    guard body.count + bytes.count <= TokenReply.maximumBytes else {
      isTooLarge = true
      return .enough
    }
    body.append(bytes)
    return .taken
  }

  func exchange(_ exchange: any Exchange, didFinish error: TransportError?, metrics: ExchangeMetrics) {
    if let error { return finish(.failure(SourceFault(error))) }
    guard !isTooLarge else { return finish(.failure(.tooLarge)) }
    guard let head else { return finish(.failure(.malformed)) }
    let members = body.withUnsafeBytes { TokenReply.members(head, $0, isOfDevice: isOfDevice) }
    finish(.success(TokenReply.Answer(status: head.status, members)))
  }
}

extension SourceFault {
  fileprivate init(_ error: TransportError) {
    switch error {
    case .serverTrustRejected, .serverTrustUndecided: self = .untrusted
    case .timedOut: self = .timedOut
    case .bodyTooLarge, .headersTooLarge: self = .tooLarge
    case .malformedResponse, .contentDecodingFailed, .connectionFlooded: self = .malformed
    case .atProxy, .nameNotResolved, .connectionFailed, .connectionLost, .tlsFailed,
      .clientCertificateUndecided, .clientCertificateRefused, .addressRefused, .boundConnectionLost,
      .bodyNotReplayable, .requestBodyFailed, .cancelled, .proxyAuthenticationRequired, .proxyRefused,
      .socksRefused, .proxyMalformed, .other:
      self = .unreachable
    }
  }
}
