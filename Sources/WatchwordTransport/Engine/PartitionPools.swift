internal import CTransport
internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordVocabulary

/// The connections of a session that depend on the same decisions, in two pools.
///
/// libcurl 7.88 loses a response over HTTP/2 that the server sends before it has read the request's body
/// (`CTransport/README.md`), and forgets requests that wait for a connection of HTTP/2 through an HTTPS
/// proxy. Where an origin also supports HTTP/1.1, such a libcurl sends requests with bodies, and those
/// through such a proxy, over connections of their own: in one pool with HTTP/2, it would treat these as
/// shareable.
@ReactorActor
final class PartitionPools {
  /// A pool has it until it is closed: a handshake that is under way is judged to its end. It is not weak,
  /// which would make every retain of the judge slower.
  var judge: (any HandshakeJudge)? {
    didSet { for pool in pools { pool.judge = judge } }
  }

  let protocols = SpokenProtocols()
  /// The number of the last exchange.
  var lastUse: UInt64 = 0
  private let makePool: (_ isHTTP1Only: Bool) throws(EngineFault) -> ConnectionPool
  /// False when there may be only one connection, or libcurl has not the fault: bodies then share
  /// connections.
  private let mayBeApart: Bool
  /// Whether it is one connection that a credential is bound to, over HTTP/1.1 (RFC 4559 §6).
  private let isBound: Bool
  private let isThroughSecureProxy: Bool
  /// Each is created for the first exchange that needs it.
  private var common: ConnectionPool?
  private var apart: ConnectionPool?
  private var closesWhenIdle = false
  private var isShutDown = false

  init(
    isBound: Bool, isThroughSecureProxy: Bool, connectionsPerHost: Int,
    _ makePool: @escaping (_ isHTTP1Only: Bool) throws(EngineFault) -> ConnectionPool
  ) {
    self.makePool = makePool
    self.isBound = isBound
    self.isThroughSecureProxy = isThroughSecureProxy
    mayBeApart = !isBound && connectionsPerHost > 1 && transport_library_loses_early_responses()
  }

  private var pools: [ConnectionPool] { [common, apart].compactMap(\.self) }

  var isClosed: Bool { pools.allSatisfy(\.isClosed) }

  func start(_ exchange: CurlExchange) {
    guard !isShutDown, let pool = pool(for: exchange) else {
      EventLoop.shared.atEndOfTurn { exchange.finish(.cancelled, ExchangeMetrics()) }
      return
    }
    exchange.state = .waiting
    exchange.pool = pool
    pool.start(exchange)
    // In retired pools, exchanges that begin again are the last ones.
    if closesWhenIdle { pool.closeWhenIdle() }
  }

  /// Whether the exchange must not use HTTP/2, as far as its origin is known.
  func avoidsHTTP2(_ exchange: CurlExchange) -> Bool {
    guard mayBeApart, isThroughSecureProxy || exchange.hasBodyToSend, !exchange.hasBegunTooOften,
      let origin = exchange.request?.url.origin
    else { return false }
    return !protocols.refusesHTTP1(origin)
  }

  /// An open pool: those of a retired partition close as soon as they are idle.
  private func pool(for exchange: CurlExchange) -> ConnectionPool? {
    let isApart = isApart(exchange)
    if let pool = isApart ? apart : common, !pool.isClosed { return pool }
    guard let pool = try? makePool(isApart || isBound) else { return nil }
    pool.siblings = self
    pool.judge = judge
    if isApart { apart = pool } else { common = pool }
    return pool
  }

  private func isApart(_ exchange: CurlExchange) -> Bool {
    guard !isBound, let request = exchange.request, request.url.origin.isSecure else { return false }
    return request.repetition.requiresHTTP1
      || (avoidsHTTP2(exchange) && (isThroughSecureProxy || protocols.speaksHTTP2(request.url.origin)))
  }

  /// Hands over the exchanges that wait for a connection, unchanged.
  func giveUpUnsent(startingAgain: Bool, to take: @escaping (CurlExchange) -> Void) {
    for pool in pools { pool.giveUpUnsent(startingAgain: startingAgain, to: take) }
  }

  /// Takes the exchanges that wait for a connection, unchanged; of one origin, the first one first.
  func takeWaiting() -> [CurlExchange] { pools.flatMap { $0.takeWaiting() } }

  /// Closes the pools after their last exchange.
  func closeWhenIdle() {
    closesWhenIdle = true
    for pool in pools { pool.closeWhenIdle() }
  }

  func shutDown() {
    isShutDown = true
    for pool in pools { pool.shutDown() }
  }
}

/// How origins have answered protocol offers (ALPN, RFC 7301).
@ReactorActor
final class SpokenProtocols {
  private struct Answers {
    var speakHTTP2 = false
    /// The origin did not agree when it was offered only HTTP/1.1.
    var refuseHTTP1 = false
  }

  /// Origins that are remembered; an unknown one costs a request with a body one connection.
  private static let capacity = 1024

  private var answers: [Origin: Answers] = [:]

  func speaksHTTP2(_ origin: Origin) -> Bool { answers[origin]?.speakHTTP2 ?? false }
  func refusesHTTP1(_ origin: Origin) -> Bool { answers[origin]?.refuseHTTP1 ?? false }

  func noteHTTP2(_ origin: Origin) { change(origin) { $0.speakHTTP2 = true } }
  func noteRefusalOfHTTP1(_ origin: Origin) { change(origin) { $0.refuseHTTP1 = true } }

  private func change(_ origin: Origin, _ change: (inout Answers) -> Void) {
    if answers[origin] == nil, answers.count >= Self.capacity { answers.removeAll() }
    change(&answers[origin, default: Answers()])
  }
}
