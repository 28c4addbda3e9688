internal import CTransport
package import WatchwordCore
package import WatchwordReactor
internal import WatchwordVocabulary

/// Performs the exchanges of one session with libcurl.
///
/// libcurl ignores the user when it picks a connection to reuse, so every session has a pool of its own
/// (CVE-2014-0015 and its many successors are connections that were reused for another user).
@ReactorActor
package final class CurlEngine: ExchangeEngine {
  /// Why the loaded libcurl must not be used; nil when it may be.
  nonisolated package static var libraryFault: String? {
    transport_library_fault().map { String(cString: $0) }
  }

  static let globalInitialization = transport_global_init()

  package var judge: (any HandshakeJudge)? {
    didSet { for pools in partitions.values { pools.judge = judge } }
  }

  private(set) var configuration: EngineConfiguration
  private let taker: TurnTaker
  /// Nil: made again for the next pool.
  private var roots: RootCertificates?
  private let memory: (any HeldMemory)?
  private let resolve: ResolveTable
  private var partitions: [ConnectionPartition: PartitionPools] = [:]
  /// Those of the partition that the last exchange was in.
  private var recent: (partition: ConnectionPartition, pools: PartitionPools)?
  /// Pools whose exchanges may still end, but which get no new ones.
  private var retired: [PartitionPools] = []
  private let counters: ConnectionCounters
  package let cookies: SessionCookies
  private var lastNumber: UInt64 = 0
  /// Partitions whose connections are kept; with one more, those of the one unused for longest are closed.
  /// Callers choose proxies and their credentials, and each makes a partition.
  private static let maximumPartitions = 64
  private var isShutDown = false

  /// - Parameters:
  ///   - memory: of the session's user; what its connections take is counted there.
  ///   - cookies: those of the session so far; nil: none.
  package init(
    _ configuration: EngineConfiguration, memory: (any HeldMemory)? = nil, cookies: SessionCookies? = nil
  ) throws(EngineFault) {
    guard CurlEngine.globalInitialization == CURLE_OK else { throw .outOfMemory }
    self.configuration = configuration
    counters = ConnectionCounters(memory)
    taker = EventLoop.shared.taker(of: configuration.uid)
    self.memory = memory
    roots = try RootCertificates.make(for: configuration, in: memory)
    resolve = try ResolveTable(configuration.resolve)
    self.cookies = cookies ?? SessionCookies(policy: configuration.cookiePolicy)
  }

  private func makePools(_ partition: ConnectionPartition) throws(EngineFault) -> PartitionPools {
    let settings = partition.versions.map { configuration.narrowed(to: $0) } ?? configuration
    let roots = try currentRoots()
    let pools = PartitionPools(
      isBound: partition.isOneConnection,
      isThroughSecureProxy: partition.proxy?.proxy.origin.isSecure ?? false,
      connectionsPerHost: settings.connectionsPerHost
    ) {
      [taker, roots, resolve, cookies, counters] isHTTP1Only throws(EngineFault) in
      try ConnectionPool(
        settings, partition: partition, isHTTP1Only: isHTTP1Only, taker: taker, roots: roots,
        resolve: resolve, cookies: cookies, counters: counters)
    }
    pools.judge = judge
    return pools
  }

  private func currentRoots() throws(EngineFault) -> RootCertificates {
    if let roots { return roots }
    let made = try RootCertificates.make(for: configuration, in: memory)
    roots = made
    return made
  }

  private func pools(for partition: ConnectionPartition) -> PartitionPools? {
    if let recent, recent.partition == partition { return recent.pools }
    if let pools = partitions[partition] {
      recent = (partition, pools)
      return pools
    }
    guard !isShutDown, let pools = try? makePools(partition) else { return nil }
    if partitions.count >= Self.maximumPartitions {
      let oldest = partitions.filter { $0.key != .common && !$0.key.isOneConnection }.min {
        $0.value.lastUse < $1.value.lastUse
      }
      if let oldest { close(oldest.key) }
    }
    partitions[partition] = pools
    return pools
  }

  package func start(_ request: ExchangeRequest, _ setup: ExchangeSetup, delegate: any ExchangeDelegate)
    -> any Exchange
  {
    lastNumber += 1
    let exchange = CurlExchange(number: lastNumber, request, setup, delegate: delegate)
    if let pools = pools(for: setup.partition), RequestFault.find(in: request, with: setup.body) == nil {
      pools.lastUse = lastNumber
      pools.start(exchange)
    } else {
      let error: TransportError =
        isShutDown ? .cancelled : .other(code: Int32(CURLE_BAD_FUNCTION_ARGUMENT.rawValue))
      EventLoop.shared.atEndOfTurn { exchange.finish(error, ExchangeMetrics()) }
    }
    return exchange
  }

  package func replaceUserRoots(with pem: String?) {
    configuration.userRoots = pem
    roots = nil
  }

  package var openConnections: Int { counters.open }
  package var connectionsOpened: Int { counters.opened }
  package var connectionsReused: Int { counters.reused }

  /// libcurl cannot close idle connections on request: new pools take over, the old ones close after their
  /// exchanges. Exchanges without a connection move to the new pools, since the old decisions no longer
  /// apply.
  package func closeIdleConnections(startingAgain: Bool) {
    for (partition, pools) in partitions {
      close(partition)
      pools.giveUpUnsent(startingAgain: startingAgain) { exchange in
        if let pools = self.pools(for: partition) {
          pools.start(exchange)
        } else {
          exchange.finish(.cancelled, ExchangeMetrics())
        }
      }
    }
  }

  package func close(_ ground: ConnectionPartition.Ground) {
    for partition in partitions.keys where partition.dependsOn(ground) { close(partition) }
  }

  package func close(_ partition: ConnectionPartition) {
    guard let pools = partitions.removeValue(forKey: partition) else { return }
    recent = nil
    pools.closeWhenIdle()
    retired.removeAll { $0.isClosed }
    if !pools.isClosed { retired.append(pools) }
  }

  /// The pools and their watches in the loop retain each other until then.
  package func shutDown() {
    isShutDown = true
    for pools in retired + partitions.values { pools.shutDown() }
    retired.removeAll()
    partitions.removeAll()
    recent = nil
    judge = nil
  }
}
