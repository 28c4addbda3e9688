internal import WatchwordCore
internal import WatchwordReactor

/// The connections of a session that rest on the same decisions, in two pools.
///
/// libcurl 7.88 loses the answer of a server that gives it before it has read the request's body, when that happens over
/// HTTP/2 (`CTransport/README.md`). Where an origin speaks HTTP/1.1 as well, requests with bodies have connections of
/// their own: in one pool with HTTP/2 they would be taken for some that can be shared.
@ReactorActor
final class PartitionPools {
  weak var judge: (any HandshakeJudge)? {
    didSet { for pool in pools { pool.judge = judge } }
  }

  let protocols = SpokenProtocols()
  private let makePool: (_ isHTTP1Only: Bool) throws(EngineFault) -> ConnectionPool
  private let common: ConnectionPool
  /// Made with the first exchange that needs it.
  private var apart: ConnectionPool?
  private var closesWhenIdle = false

  init(_ makePool: @escaping (_ isHTTP1Only: Bool) throws(EngineFault) -> ConnectionPool) throws(EngineFault)
  {
    self.makePool = makePool
    common = try makePool(false)
    common.siblings = self
  }

  private var pools: [ConnectionPool] { apart.map { [common, $0] } ?? [common] }

  var isClosed: Bool { pools.allSatisfy(\.isClosed) }

  func start(_ exchange: CurlExchange) {
    let pool = pool(for: exchange)
    exchange.move(to: pool)
    pool.start(exchange)
  }

  /// Whether the exchange is not to go over HTTP/2, as far as is known of its origin.
  func avoidsHTTP2(_ exchange: CurlExchange) -> Bool {
    guard exchange.hasBodyToSend, !exchange.hasBegunTooOften, let origin = exchange.request?.url.origin else {
      return false
    }
    // One connection has to do for everything.
    return common.configuration.connectionsPerHost > 1 && !protocols.refusesHTTP1(origin)
  }

  private func pool(for exchange: CurlExchange) -> ConnectionPool {
    guard let request = exchange.request, request.url.origin.isSecure,
      request.requiresHTTP1 || (avoidsHTTP2(exchange) && protocols.speaksHTTP2(request.url.origin))
    else { return common }
    if let apart { return apart }
    guard !common.isClosed, let pool = try? makePool(true) else { return common }
    pool.siblings = self
    pool.judge = judge
    apart = pool
    if closesWhenIdle { pool.closeWhenIdle() }
    return pool
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

  func shutDown() { for pool in pools { pool.shutDown() } }
}
