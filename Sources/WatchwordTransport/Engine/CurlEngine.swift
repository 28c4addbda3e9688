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
    didSet { for pools in partitions.values { pools.judge = judge } }
  }

  let configuration: EngineConfiguration
  private let roots: RootCertificates
  private let resolve: ResolveTable
  private var partitions: [ConnectionPartition: PartitionPools] = [:]
  /// Pools whose exchanges may still end, but which get no new ones.
  private var retired: [PartitionPools] = []
  private let counters = ConnectionCounters()
  package let cookies: SessionCookies
  private var lastNumber: UInt64 = 0
  private var isShutDown = false

  package init(_ configuration: EngineConfiguration) throws(EngineFault) {
    guard CurlEngine.globalInitialization == CURLE_OK else { throw .outOfMemory }
    self.configuration = configuration
    roots = try RootCertificates.make(for: configuration)
    resolve = try ResolveTable(configuration.resolve)
    cookies = SessionCookies(policy: configuration.cookiePolicy)
    // What is wrong with the configuration is said now.
    partitions[.common] = try makePools(.common)
  }

  private func makePools(_ partition: ConnectionPartition) throws(EngineFault) -> PartitionPools {
    let pools = try PartitionPools {
      [configuration, roots, resolve, cookies, counters] isHTTP1Only throws(EngineFault) in
      try ConnectionPool(
        configuration, partition: partition, isHTTP1Only: isHTTP1Only, roots: roots, resolve: resolve,
        cookies: cookies, counters: counters)
    }
    pools.judge = judge
    return pools
  }

  private func pools(for partition: ConnectionPartition) -> PartitionPools? {
    if let pools = partitions[partition] { return pools }
    guard !isShutDown, let pools = try? makePools(partition) else { return nil }
    partitions[partition] = pools
    return pools
  }

  package func start(_ request: ExchangeRequest, delegate: any ExchangeDelegate) -> any Exchange {
    lastNumber += 1
    let exchange = CurlExchange(number: lastNumber, request: request, delegate: delegate)
    if let pools = pools(for: request.partition), RequestFault.find(in: request) == nil {
      pools.start(exchange)
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
    for (partition, pools) in partitions {
      close(partition)
      pools.giveUpUnsent(startingAnew: startingAnew) { exchange in
        if let pools = self.pools(for: partition) {
          pools.start(exchange)
        } else {
          exchange.finish(.cancelled, ExchangeMetrics())
        }
      }
    }
  }

  package func close(_ partition: ConnectionPartition) {
    guard let pools = partitions.removeValue(forKey: partition) else { return }
    retired.removeAll { $0.isClosed }
    retired.append(pools)
    pools.closeWhenIdle()
  }

  /// The pools and what the loop keeps of them hold each other until then.
  package func shutDown() {
    isShutDown = true
    for pools in retired + partitions.values { pools.shutDown() }
    retired.removeAll()
    partitions.removeAll()
  }
}
