internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordSecret
internal import WatchwordTransport
internal import WatchwordVocabulary

/// One request to an endpoint of etcd, within its bounds of time and bytes.
///
/// With a reader of lines it is a stream, which has no end and no bound but that of a line.
@ReactorActor
final class EtcdExchange {
  enum Failure: Error {
    case fault(SynchronizationFault)
    /// The body is larger than what is read.
    case tooLarge
  }

  struct Answer: Sendable {
    let status: Int
    let body: Secret
  }

  /// Another member may answer sooner.
  static let readSeconds = 10.0
  /// A member whose leader was lost keeps a write for seven seconds before it says so; the next member may know the new
  /// leader after one. What became of the first try is found out by the revision.
  static let writeSeconds = 2.0

  private let seconds: Double
  private let line: (@ReactorActor (Secret) -> Void)?
  private let then: @ReactorActor (Result<Answer, Failure>) -> Void
  private var exchange: (any Exchange)?
  private var timer: LoopTimer?
  private var head: ResponseHead?
  private var body = WipedBytes()
  private var isTooLarge = false
  private var isOver = false

  /// - Parameters:
  ///   - line: takes each line of a stream.
  ///   - then: called once, unless it is cancelled; of a stream, when it has ended.
  init(
    seconds: Double = EtcdExchange.readSeconds, line: (@ReactorActor (Secret) -> Void)? = nil,
    then: @escaping @ReactorActor (Result<Answer, Failure>) -> Void
  ) {
    self.seconds = seconds
    self.line = line
    self.then = then
  }

  func start(
    _ request: EtcdRequest, to endpoint: RequestURL, token: Secret?, over engine: any ExchangeEngine
  ) {
    // etcd's gateway takes a token without a scheme.
    let exchange = ExchangeRequest(
      url: endpoint.sibling(path: request.path, query: nil), method: "POST",
      headers: [HeaderField("Content-Type", "application/json"), HeaderField("Accept", "application/json")],
      authorization: token, body: .secret(request.body),
      timeouts: ExchangeTimeouts(
        connectSeconds: min(seconds, Self.readSeconds), requestSeconds: line == nil ? seconds : nil),
      decodesContent: false)
    if line == nil {
      timer = EventLoop.shared.schedule(after: seconds) { [self] in
        self.exchange?.cancel()
        finish(.failure(.fault(.timedOut)))
      }
    }
    self.exchange = engine.start(exchange, delegate: self)
  }

  func cancel() {
    exchange?.cancel()
    isOver = true
    release()
  }

  /// Stops a stream until `resume`.
  func pause() { exchange?.pause() }
  func resume() { exchange?.resume() }

  private func finish(_ result: Result<Answer, Failure>) {
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

extension EtcdExchange: ExchangeDelegate {
  func authorization(for exchange: any Exchange) -> Secret? { nil }
  func proxyAuthorization(for exchange: any Exchange) -> Secret? { nil }
  func exchange(_ exchange: any Exchange, didOpenTunnel head: ResponseHead?) {}
  func exchange(_ exchange: any Exchange, didTake content: UnsafeRawBufferPointer) {}
  func exchange(_ exchange: any Exchange, didSendBody total: Int64) {}

  func exchange(_ exchange: any Exchange, didReceive head: ResponseHead) { self.head = head }

  func exchange(_ exchange: any Exchange, didReceive bytes: UnsafeRawBufferPointer) -> BodyAnswer {
    guard !isOver else { return .enough }
    guard let line, head?.status == 200 else { return append(bytes) }
    var rest = bytes[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      guard append(UnsafeRawBufferPointer(rebasing: rest[..<end])) == .taken else { return .enough }
      rest = rest[(end + 1)...]
      let whole = body.withUnsafeBytes { Secret(copying: $0) }
      body.removeAll()
      if whole.count > 0 { line(whole) }
      if isOver { return .enough }
    }
    return append(UnsafeRawBufferPointer(rebasing: rest))
  }

  private func append(_ bytes: UnsafeRawBufferPointer) -> BodyAnswer {
    guard body.count + bytes.count <= EtcdReply.maximumBytes else {
      isTooLarge = true
      return .enough
    }
    body.append(bytes)
    return .taken
  }

  func exchange(_ exchange: any Exchange, didFinish error: TransportError?, metrics: ExchangeMetrics) {
    guard !isTooLarge else { return finish(.failure(.tooLarge)) }
    if let error { return finish(.failure(.fault(SynchronizationFault(error)))) }
    guard let head else { return finish(.failure(.fault(.malformed))) }
    let whole = body.withUnsafeBytes { Secret(copying: $0) }
    finish(.success(Answer(status: head.status, body: whole)))
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
