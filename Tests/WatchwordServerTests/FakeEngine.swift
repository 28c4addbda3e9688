import WatchwordCore
import WatchwordReactor
import WatchwordTransport
import WatchwordVocabulary

/// An engine that sends nothing: a test says what each exchange brings.
@ReactorActor
final class FakeEngine: ExchangeEngine {
  /// Every exchange that was started, in order.
  private(set) var exchanges: [FakeExchange] = []
  /// What was closed, in order.
  private(set) var closings: [String] = []
  private(set) var isShutDown = false

  let cookies: SessionCookies

  /// - Parameter cookies: of the engine that it replaces.
  init(cookies: SessionCookies? = nil) { self.cookies = cookies ?? SessionCookies(policy: .accept) }

  weak var judge: (any HandshakeJudge)?
  var openConnections: Int { 0 }
  var connectionsOpened: Int { 0 }
  var connectionsReused: Int { 0 }

  func start(_ request: ExchangeRequest, _ setup: ExchangeSetup, delegate: any ExchangeDelegate)
    -> any Exchange
  {
    exchanges.append(FakeExchange(request, setup, delegate))
    onStart?(exchanges[exchanges.count - 1])
    return exchanges[exchanges.count - 1]
  }

  /// Takes each exchange that is started.
  var onStart: ((FakeExchange) -> Void)?

  func replaceUserRoots(with pem: String?) { closings.append("roots") }

  func closeIdleConnections(startingAgain: Bool) {
    closings.append(startingAgain ? "all" : "idle")
    onClosing?()
  }
  /// Called while idle connections are closed, or all.
  var onClosing: (() -> Void)?
  func close(_ partition: ConnectionPartition) { closings.append("partition") }
  func close(_ ground: ConnectionPartition.Ground) { closings.append("partition") }
  func shutDown() {
    isShutDown = true
    onClosing?()
  }
}

/// An exchange in the hands of a test.
@ReactorActor
final class FakeExchange: Exchange {
  let request: ExchangeRequest
  let setup: ExchangeSetup
  private var delegate: (any ExchangeDelegate)?
  var isUnsent = true
  var connection: UInt64?
  private(set) var isCancelled = false
  /// `pause`, `resume` and `limitRest`, as they came.
  private(set) var calls: [String] = []

  init(_ request: ExchangeRequest, _ setup: ExchangeSetup, _ delegate: any ExchangeDelegate) {
    self.request = request
    self.setup = setup
    self.delegate = delegate
  }

  func cancel() {
    isCancelled = true
    delegate = nil
  }
  func pause() { calls.append("pause") }
  func resume() { calls.append("resume") }
  func limitRest(seconds: Double) {
    calls.append("limitRest")
    limits.append(seconds)
  }
  /// For how long more of the body is waited for, as it came.
  private(set) var limits: [Double] = []

  // MARK: What a test lets happen

  /// The value that the request carries on its connection, onto which it goes now.
  private(set) lazy var authorization: String? = {
    let value = request.isAuthorizedLate ? delegate?.authorization(for: self) : request.authorization
    return value?.withBytes { String(decoding: $0, as: UTF8.self) }
  }()

  /// The fields with keys that the request carries when it goes onto its connection, as `name: value`.
  func keyFields() -> [String] {
    (delegate?.keyFields(for: self) ?? []).map {
      "\($0.name): " + ($0.secret?.withBytes { String(decoding: $0, as: UTF8.self) } ?? $0.value)
    }
  }

  func receive(_ status: Int, _ fields: [HeaderField] = []) {
    _ = authorization
    isUnsent = false
    delegate?.exchange(self, didReceive: ResponseHead(status: status, headers: fields))
  }

  @discardableResult
  func receive(body: String) -> BodyAnswer? {
    Array(body.utf8).withUnsafeBytes { delegate?.exchange(self, didReceive: $0) }
  }

  /// So many bytes of the request's body have gone.
  func sent(_ total: Int64) { delegate?.exchange(self, didSendBody: total) }

  func finish(_ error: TransportError? = nil, metrics: ExchangeMetrics = ExchangeMetrics()) {
    let delegate = delegate
    self.delegate = nil
    delegate?.exchange(self, didFinish: error, metrics: metrics)
  }

  func respond(_ status: Int, _ fields: [HeaderField] = [], body: String = "") {
    receive(status, fields)
    receive(body: body)
    finish()
  }
}
