internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordReactor
internal import WatchwordTransport
internal import WatchwordVocabulary

/// One request of the daemon's own, within its bounds of time and bytes: no redirect is followed and no 401
/// answered.
///
/// With a reader of lines it is a stream, which has no end and no bound but that of a line.
@ReactorActor
final class BoundedExchange {
  enum Failure: Error {
    case transport(TransportError)
    case timedOut
    /// The body is larger than what is read.
    case tooLarge
    /// It ended before the response.
    case noResponse
  }

  struct Answer: Sendable {
    let head: ResponseHead
    let body: Secret
  }

  private let seconds: Double
  private let maximumBytes: Int
  private let line: (@ReactorActor (Secret) -> Void)?
  private let then: @ReactorActor (Result<Answer, Failure>) -> Void
  private var exchange: (any Exchange)?
  private var timer: LoopTimer?
  private var head: ResponseHead?
  private var body = WipedBytes()
  private var isTooLarge = false
  private var isOver = false

  /// - Parameters:
  ///   - seconds: of the whole request; of a stream, until its connection is made.
  ///   - maximumBytes: of the body, or of a line.
  ///   - line: takes each line of a stream.
  ///   - then: called once, unless it is cancelled; of a stream, when it has ended.
  init(
    seconds: Double, maximumBytes: Int, line: (@ReactorActor (Secret) -> Void)? = nil,
    then: @escaping @ReactorActor (Result<Answer, Failure>) -> Void
  ) {
    self.seconds = seconds
    self.maximumBytes = maximumBytes
    self.line = line
    self.then = then
  }

  func start(
    _ request: ExchangeRequest, _ body: ExchangeBody, over engine: any ExchangeEngine,
    in partition: ConnectionPartition = .common
  ) {
    if line == nil {
      timer = EventLoop.shared.schedule(after: seconds) { [self] in
        exchange?.cancel()
        finish(.failure(.timedOut))
      }
    }
    let timeouts = ExchangeTimeouts(connectSeconds: seconds, requestSeconds: line == nil ? seconds : nil)
    let settings = ExchangeSettings(timeouts: timeouts, decodesContent: false)
    exchange = engine.start(
      request, ExchangeSetup(body: body, settings: settings, partition: partition), delegate: self)
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

extension BoundedExchange: ExchangeDelegate {
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
    guard body.count + bytes.count <= maximumBytes else {
      isTooLarge = true
      return .enough
    }
    body.append(bytes)
    return .taken
  }

  func exchange(_ exchange: any Exchange, didFinish error: TransportError?, metrics: ExchangeMetrics) {
    guard !isTooLarge else { return finish(.failure(.tooLarge)) }
    if let error { return finish(.failure(.transport(error))) }
    guard let head else { return finish(.failure(.noResponse)) }
    let whole = body.withUnsafeBytes { Secret(copying: $0) }
    finish(.success(Answer(head: head, body: whole)))
  }
}
