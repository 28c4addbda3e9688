internal import WatchwordCore
internal import WatchwordReactor

/// The connections of a session that rest on the same decisions, in two pools.
///
/// libcurl 7.88 loses the answer of a server that gives it before it has read the request's body, when that happens
/// over HTTP/2 (`CTransport/README.md`). Where an origin speaks HTTP/1.1 as well, requests with bodies have connections
/// of their own: in one pool with HTTP/2 they would be taken for some that can be shared.
@ReactorActor
final class PartitionPools {
  weak var judge: (any HandshakeJudge)? {
    didSet { for pool in pools { pool.judge = judge } }
  }

  let protocols = SpokenProtocols()
  private let makePool: (_ isHTTP1Only: Bool) throws(EngineFault) -> ConnectionPool
  /// With one connection for everything, bodies share it.
  private let mayBeApart: Bool
  private var common: ConnectionPool
  /// Made with the first exchange that needs it.
  private var apart: ConnectionPool?
  private var closesWhenIdle = false
  private var isShutDown = false

  init(_ makePool: @escaping (_ isHTTP1Only: Bool) throws(EngineFault) -> ConnectionPool) throws(EngineFault)
  {
    self.makePool = makePool
    common = try makePool(false)
    mayBeApart = common.configuration.connectionsPerHost > 1
    common.siblings = self
  }

  private var pools: [ConnectionPool] { apart.map { [common, $0] } ?? [common] }

  var isClosed: Bool { pools.allSatisfy(\.isClosed) }

  func start(_ exchange: CurlExchange) {
    guard !isShutDown, let pool = pool(for: exchange) else {
      EventLoop.shared.atEndOfTurn { exchange.finish(.cancelled, ExchangeMetrics()) }
      return
    }
    exchange.move(to: pool)
    pool.start(exchange)
    // What begins again in pools that are retired is their last work.
    if closesWhenIdle { pool.closeWhenIdle() }
  }

  /// Whether the exchange is not to go over HTTP/2, as far as is known of its origin.
  func avoidsHTTP2(_ exchange: CurlExchange) -> Bool {
    guard mayBeApart, exchange.hasBodyToSend, !exchange.hasBegunTooOften,
      let origin = exchange.request?.url.origin
    else { return false }
    return !protocols.refusesHTTP1(origin)
  }

  /// An open one: those of a retired partition close as soon as they have nothing to do.
  private func pool(for exchange: CurlExchange) -> ConnectionPool? {
    let isApart = isApart(exchange)
    if let pool = isApart ? apart : common, !pool.isClosed { return pool }
    guard let pool = try? makePool(isApart) else { return nil }
    pool.siblings = self
    pool.judge = judge
    if isApart { apart = pool } else { common = pool }
    return pool
  }

  private func isApart(_ exchange: CurlExchange) -> Bool {
    guard let request = exchange.request, request.url.origin.isSecure else { return false }
    return request.requiresHTTP1
      || (avoidsHTTP2(exchange) && protocols.speaksHTTP2(request.url.origin))
  }

  /// Hands over the exchanges that wait for a connection, whole as they are.
  func giveUpUnsent(startingAnew: Bool, to take: @escaping (CurlExchange) -> Void) {
    for pool in pools { pool.giveUpUnsent(startingAnew: startingAnew, to: take) }
  }

  /// Ends by itself with its last exchange.
  func closeWhenIdle() {
    closesWhenIdle = true
    for pool in pools { pool.closeWhenIdle() }
  }

  func shutDown() {
    isShutDown = true
    for pool in pools { pool.shutDown() }
  }
}
