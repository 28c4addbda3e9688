import WatchwordCore
import WatchwordReactor
import WatchwordSecret
import WatchwordTransport
import WatchwordVocabulary

/// A delegate that keeps what it is told and can be waited for.
@ReactorActor
final class Recorder: ExchangeDelegate {
  var heads: [ResponseHead] = []
  var body: [UInt8] = []
  /// The body before it was decoded.
  var content: [UInt8] = []
  var sent: [Int64] = []
  var error: TransportError?
  var metrics: ExchangeMetrics?
  var finishes = 0
  /// Called with everything that happens; may pause, resume and cancel.
  var onHead: (any Exchange) -> Void = { _ in }
  var onBody: (any Exchange, Int) -> BodyAnswer = { _, _ in .taken }
  var onSent: (any Exchange) -> Void = { _ in }
  /// The value of a request whose `Authorization` is made late.
  var onAuthorization: () -> Secret? = { nil }
  var onFinish: () -> Void = {}
  var keepsBody = true
  var bodyCount = 0
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func authorization(for exchange: any Exchange) -> Secret? { onAuthorization() }

  func proxyAuthorization(for exchange: any Exchange) -> Secret? { nil }
  func exchange(_ exchange: any Exchange, didOpenTunnel head: ResponseHead?) {}
  func exchange(_ exchange: any Exchange, didReceive head: ResponseHead) {
    heads.append(head)
    onHead(exchange)
  }

  func exchange(_ exchange: any Exchange, didReceive bytes: UnsafeRawBufferPointer) -> BodyAnswer {
    let answer = onBody(exchange, bytes.count)
    if answer == .taken {
      bodyCount += bytes.count
      if keepsBody { body += bytes }
    }
    return answer
  }

  func exchange(_ exchange: any Exchange, didTake content: UnsafeRawBufferPointer) {
    if keepsBody { self.content += content }
  }

  func exchange(_ exchange: any Exchange, didSendBody total: Int64) {
    sent.append(total)
    onSent(exchange)
  }

  func exchange(_ exchange: any Exchange, didFinish error: TransportError?, metrics: ExchangeMetrics) {
    finishes += 1
    self.error = error
    self.metrics = metrics
    onFinish()
    for continuation in waiting { continuation.resume() }
    waiting.removeAll()
  }

  func finished() async {
    guard finishes == 0 else { return }
    await withCheckedContinuation { waiting.append($0) }
  }

  var text: String { String(decoding: body, as: UTF8.self) }
  var status: Int? { heads.last?.status }
}

extension ExchangeRequest {
  convenience init(
    _ url: String, method: String = "GET", headers: [HeaderField] = [], body: ExchangeBody = .none,
    timeouts: ExchangeTimeouts = ExchangeTimeouts(), decodesContent: Bool = true, priority: Double = 0.5
  ) throws(URLFault) {
    var settings = ExchangeSettings(timeouts: timeouts, decodesContent: decodesContent)
    settings.priority = priority
    self.init(
      url: try URLParser.parse(url), method: method, headers: headers, authorization: nil, body: body,
      settings: settings)
  }
}

extension CurlEngine {
  /// Runs one exchange to its end.
  func fetch(_ request: ExchangeRequest) async -> Recorder {
    let recorder = Recorder()
    _ = start(request, delegate: recorder)
    await recorder.finished()
    return recorder
  }
}
