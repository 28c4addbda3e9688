import WatchwordCore
import WatchwordReactor
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

/// One exchange, as a test wants it.
struct TestExchange {
  let url: RequestURL
  var method = "GET"
  var headers: [HeaderField] = []
  var authorization: Secret?
  var isAuthorizedLate = false
  var repetition = Repetition()
  var setup: ExchangeSetup

  init(
    _ url: String, method: String = "GET", headers: [HeaderField] = [], body: ExchangeBody = .none,
    timeouts: ExchangeTimeouts = ExchangeTimeouts(), decodesContent: Bool = true, priority: Double = 0.5
  ) throws(URLFault) {
    var settings = ExchangeSettings(timeouts: timeouts, decodesContent: decodesContent)
    settings.priority = priority
    self.url = try URLParser.parse(url)
    self.method = method
    self.headers = headers
    setup = ExchangeSetup(body: body, settings: settings)
  }

  var request: ExchangeRequest {
    ExchangeRequest(
      url: url, method: method, headers: headers, authorization: authorization,
      isAuthorizedLate: isAuthorizedLate, proxy: nil, repetition: repetition)
  }
}

extension CurlEngine {
  func start(_ exchange: TestExchange, delegate: any ExchangeDelegate) -> any Exchange {
    start(exchange.request, exchange.setup, delegate: delegate)
  }

  /// Runs one exchange to its end.
  func fetch(_ exchange: TestExchange) async -> Recorder {
    let recorder = Recorder()
    _ = start(exchange, delegate: recorder)
    await recorder.finished()
    return recorder
  }
}
