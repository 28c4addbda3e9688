internal import CTransport
package import WatchwordCore
package import WatchwordReactor

/// The exchanges of one session, through libcurl.
///
/// libcurl does not look at who asks when it picks a connection to reuse, so every session has a pool of its
/// own (CVE-2014-0015 and its many successors are connections that were reused for somebody else).
@ReactorActor
package final class CurlEngine: ExchangeEngine {
  /// Why no engine may be made with the libcurl that is loaded; nil when nothing is wrong with it.
  package static var libraryFault: String? { transport_library_fault().map { String(cString: $0) } }

  static let globalInitialization = transport_global_init()

  package weak var judge: (any HandshakeJudge)? {
    didSet { for pool in pools.values { pool.judge = judge } }
  }

  let configuration: EngineConfiguration
  private let roots: RootCertificates
  private var pools: [ConnectionLane: ConnectionPool] = [:]
  /// Pools whose exchanges may still end, but which get no new ones.
  private var retired: [ConnectionPool] = []
  private let counters = ConnectionCounters()
  package let cookies: SessionCookies
  private var lastNumber: UInt64 = 0
  private var isShutDown = false

  package init(_ configuration: EngineConfiguration) throws(EngineFault) {
    guard CurlEngine.globalInitialization == CURLE_OK else { throw .outOfMemory }
    self.configuration = configuration
    roots = try RootCertificates.make(for: configuration)
    cookies = SessionCookies(policy: configuration.cookiePolicy)
    // What is wrong with the configuration is said now.
    pools[.common] = try makePool(.common)
  }

  private func makePool(_ lane: ConnectionLane) throws(EngineFault) -> ConnectionPool {
    let pool = try ConnectionPool(
      configuration, lane: lane, roots: roots, cookies: cookies, counters: counters)
    pool.judge = judge
    return pool
  }

  private func pool(for lane: ConnectionLane) -> ConnectionPool? {
    if let pool = pools[lane] { return pool }
    guard !isShutDown, let pool = try? makePool(lane) else { return nil }
    pools[lane] = pool
    return pool
  }

  package func start(_ request: ExchangeRequest, delegate: any ExchangeDelegate) -> any Exchange {
    lastNumber += 1
    let pool = pool(for: request.lane)
    let exchange = CurlExchange(number: lastNumber, request: request, delegate: delegate, pool: pool)
    if let pool, RequestFault.find(in: request) == nil {
      pool.start(exchange)
    } else {
      let error: TransportError =
        isShutDown ? .cancelled : .other(code: Int32(CURLE_BAD_FUNCTION_ARGUMENT.rawValue))
      EventLoop.shared.atEndOfTurn { exchange.finish(error, ExchangeMetrics()) }
    }
    return exchange
  }

  package var openConnections: Int { counters.open }
  package var connectionsOpened: Int { counters.opened }
  package var connectionsReused: Int { counters.reused }

  /// libcurl cannot be told to close what is idle: new pools take over, the old ones end with their exchanges. Those
  /// that have no connection yet go to the new ones: what they would have been given rests on what is no longer so.
  package func closeIdleConnections(startingAnew: Bool) {
    for (lane, pool) in pools {
      close(lane)
      pool.giveUpUnsent(startingAnew: startingAnew) { exchange in
        let pool = self.pool(for: lane)
        exchange.move(to: pool)
        if let pool { pool.start(exchange) } else { exchange.finish(.cancelled, ExchangeMetrics()) }
      }
    }
  }

  package func close(_ lane: ConnectionLane) {
    guard let pool = pools.removeValue(forKey: lane) else { return }
    retired.removeAll { $0.isClosed }
    retired.append(pool)
    pool.closeWhenIdle()
  }

  /// The pool and what the loop keeps of it hold each other until then.
  package func shutDown() {
    isShutDown = true
    for pool in retired + pools.values { pool.shutDown() }
    retired.removeAll()
    pools.removeAll()
  }
}
