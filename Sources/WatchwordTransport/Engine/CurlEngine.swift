internal import CTransport
package import WatchwordCore
package import WatchwordReactor

/// The exchanges of one session, through libcurl.
///
/// libcurl does not look at who asks when it picks a connection to reuse, so every session has a pool of its
/// own (CVE-2014-0015 and its many successors are connections that were reused for somebody else).
@ReactorActor
package final class CurlEngine: ExchangeEngine {
  package enum Fault: Error, Sendable, Equatable {
    /// The extra roots are no PEM certificates.
    case rootsUnreadable
    /// An entry of `resolve` is not `host:port` and an address.
    case resolveEntry(String)
    case outOfMemory
  }

  let configuration: EngineConfiguration
  private let roots: RootCertificates
  private var pool: ConnectionPool?
  /// Pools whose exchanges may still end, but which get no new ones.
  private var retired: [ConnectionPool] = []
  private let counters = ConnectionCounters()
  private let cookieStore = CurlCookieStore()
  private var lastNumber: UInt64 = 0

  package init(_ configuration: EngineConfiguration) throws(Fault) {
    self.configuration = configuration
    roots = try RootCertificates.make(for: configuration)
    let pool = try ConnectionPool(configuration, roots: roots, counters: counters)
    self.pool = pool
    cookieStore.pool = pool
  }

  package func start(_ request: ExchangeRequest, delegate: any ExchangeDelegate) -> any Exchange {
    lastNumber += 1
    let exchange = CurlExchange(number: lastNumber, request: request, delegate: delegate, pool: pool)
    if let pool, RequestFault.find(in: request) == nil {
      pool.start(exchange)
    } else {
      let error: TransportError =
        pool == nil ? .cancelled : .other(code: Int32(CURLE_BAD_FUNCTION_ARGUMENT.rawValue))
      EventLoop.shared.atEndOfTurn { exchange.finish(error, ExchangeMetrics()) }
    }
    return exchange
  }

  package var openConnections: Int { counters.open }
  package var connectionsOpened: Int { counters.opened }
  package var connectionsReused: Int { counters.reused }
  package var cookies: any CookieStore { cookieStore }

  /// libcurl cannot be told to close what is idle: a new pool takes over, the old one ends with its
  /// exchanges.
  package func closeIdleConnections() {
    guard let old = pool, let next = try? ConnectionPool(configuration, roots: roots, counters: counters)
    else {
      return
    }
    next.importCookies(old.exportCookies())
    pool = next
    cookieStore.pool = next
    retired.removeAll { $0.isClosed }
    retired.append(old)
    old.closeWhenIdle()
  }

  /// The pool and what the loop keeps of it hold each other until then.
  package func shutDown() {
    for old in retired { old.shutDown() }
    retired.removeAll()
    pool?.shutDown()
    pool = nil
    cookieStore.pool = nil
  }
}

/// What an engine's pools count together.
@ReactorActor
final class ConnectionCounters {
  var open = 0
  var opened = 0
  var reused = 0
}
