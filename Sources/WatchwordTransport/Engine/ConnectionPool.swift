internal import CTransport
internal import Glibc
internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordVocabulary

/// One libcurl multi handle with its connections and its TLS sessions: those of a partition, or half of them.
///
/// libcurl calls back from inside its own functions and must not be called again from there. Requests from
/// callbacks are therefore deferred until `reportEnds`, which runs as soon as libcurl has returned.
@ReactorActor
final class ConnectionPool {
  enum Deferred {
    case start(CurlExchange)
    case stop(TransferSlot)
    /// The exchange has opened a tunnel: nothing more is its own.
    case endTunnelRequest(TransferSlot)
    /// Another exchange of the origin may begin.
    case admit(OriginLine)
  }

  let configuration: EngineConfiguration
  let partition: ConnectionPartition
  /// Whether HTTP/2 is never offered.
  let isHTTP1Only: Bool
  /// Where an exchange begins again if another pool suits it better.
  ///
  /// Kept until the pool is closed, as the judge: weak references would make every retain of them slower.
  var siblings: PartitionPools?
  var judge: (any HandshakeJudge)?
  /// In whose turns it works: those of its session.
  let taker: TurnTaker
  let roots: RootCertificates
  let counters: ConnectionCounters
  let numbers = ConnectionNumbers()
  let multi: UnsafeMutableRawPointer
  /// Bounds the work that a server can cause inside one call into libcurl.
  let guardState: UnsafeMutablePointer<transport_guard>
  let cookies: SessionCookies
  let resolve: ResolveTable

  /// Slots with an exchange, in no order; each knows its index.
  var active: [TransferSlot] = []
  var lines: [Origin: OriginLine] = [:]
  /// The one that an exchange was begun in last: many fetches in a row are of one origin.
  var recentLine: OriginLine?
  /// The last URL as libcurl has taken it apart: a program that polls fetches the same one again and again.
  private var recentURL: (url: RequestURL, parsed: OriginURL.Parsed)?
  var sockets: [Int32: SocketWatch] = [:]
  var deferred: [Deferred] = []
  /// Handshakes whose keys in tokens have not signed.
  var signing: [Handshake] = [] {
    didSet { counters.signing += signing.count - oldValue.count }
  }
  var isInside = false
  /// Whether libcurl has made the tables that it makes for the first exchange.
  private var hasTables = false
  /// Whether any connection has used HTTP/2.
  var hasSpokenHTTP2 = false
  /// Counts received and sent bytes, of heads and bodies.
  var progress: UInt64 = 0
  var clock = PoolClock()
  var idleSweep = IdleSweep()
  var resumptions = Resumptions()
  var tunnel = OpenTunnel()
  private var closesWhenIdle = false
  private(set) var isClosed = false

  /// Origins without exchanges that are remembered.
  static let maximumIdleLines = 64
  /// Idle connections kept. libcurl's own bound follows the number of running exchanges, which makes many
  /// parallel ones reconnect all the time.
  private static let maximumIdleConnections = 512

  init(
    _ configuration: EngineConfiguration, partition: ConnectionPartition, isHTTP1Only: Bool,
    taker: TurnTaker, roots: RootCertificates, resolve: ResolveTable, cookies: SessionCookies,
    counters: ConnectionCounters
  ) throws(EngineFault) {
    guard CurlEngine.globalInitialization == CURLE_OK else { throw .outOfMemory }
    guard let multi = curl_multi_init() else { throw .outOfMemory }
    self.configuration = configuration
    self.partition = partition
    self.isHTTP1Only = isHTTP1Only
    self.taker = taker
    self.cookies = cookies
    self.roots = roots
    self.counters = counters
    self.multi = multi
    guardState = .allocate(capacity: 1)
    guardState.initialize(to: transport_guard())
    self.resolve = resolve
    transport_multi_set_callbacks(
      multi, PoolCallbacks.socket, PoolCallbacks.timer, Unmanaged.passUnretained(self).toOpaque())
    transport_multi_set_long(multi, CURLMOPT_MAXCONNECTS, Self.maximumIdleConnections)
    transport_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, configuration.connectionsPerHost)
    // One connection is authenticated, token by token: a second one would be without.
    if partition.isOneConnection { transport_multi_set_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, 1) }
    transport_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
  }

  /// No connection is left: `shutDown`, which precedes the release, has cleaned up the multi handle.
  isolated deinit { guardState.deallocate() }

  /// Closes the pool after its last exchange.
  func closeWhenIdle() {
    closesWhenIdle = true
    recentURL = nil
    closeIfDone()
  }

  /// The URL for `CURLOPT_CURLU`; nil when libcurl has to take it apart itself.
  func parsed(_ url: RequestURL, in line: OriginLine?) -> OriginURL.Parsed? {
    if let recentURL, recentURL.url === url { return recentURL.parsed }
    guard let parsed = line?.url?.url(url) else { return nil }
    if url.mayBeRemembered, !closesWhenIdle { recentURL = (url, parsed) }
    return parsed
  }

  /// Hands over the exchanges that wait for a connection, unchanged.
  ///
  /// - Parameter startingAgain: also those that are connecting; otherwise these are judged after the
  ///   handshake.
  func giveUpUnsent(startingAgain: Bool, to take: @escaping (CurlExchange) -> Void) {
    guard !isInside else {
      EventLoop.shared.atEndOfTurn { self.giveUpUnsent(startingAgain: startingAgain, to: take) }
      return
    }
    let pending = active.filter { $0.isUnsent && (startingAgain || $0.transfer.sockets.isEmpty) }
    let begun = pending.map(\.exchange)
    let waiting = takeWaiting()
    for slot in pending { detach(slot) }
    for exchange in begun + waiting where !exchange.isFinished { take(exchange) }
    closeIfDone()
  }

  /// An exchange has begun.
  func add(_ slot: TransferSlot) {
    if !hasTables { counters.pools += 1 }
    hasTables = true
    slot.place = active.count
    active.append(slot)
    counters.exchanges += 1
  }

  func takeWaiting() -> [CurlExchange] { lines.values.flatMap { $0.takeWaiting() } }

  func closeIfDone() {
    guard closesWhenIdle, active.isEmpty, deferred.isEmpty, !isInside else { return }
    shutDown()
  }

  /// Stops all exchanges with a single delegate call (`cancelled`) each, and frees everything.
  func shutDown() {
    guard !isClosed else { return }
    guard !isInside else {
      EventLoop.shared.atEndOfTurn { self.shutDown() }
      return
    }
    isClosed = true
    if hasTables { counters.pools -= 1 }
    isInside = true
    let orphans =
      active.map(\.exchange) + lines.values.flatMap(\.waiting) + deferred.compactMap(\.waiting)
    lines.removeAll()
    recentLine = nil
    deferred.removeAll()
    freeSweep()
    idleSweep.cancel()
    for slot in active { detach(slot) }
    curl_multi_cleanup(multi)
    forgetClosed(Array(sockets.keys))
    for socket in sockets.values { socket.stop() }
    sockets.removeAll()
    tunnel.close()
    clock.cancel()
    isInside = false
    (siblings, judge) = (nil, nil)
    EventLoop.shared.atEndOfTurn {
      for exchange in orphans { exchange.finish(.cancelled, ExchangeMetrics()) }
    }
  }
}

extension ConnectionPool.Deferred {
  fileprivate var waiting: CurlExchange? {
    switch self {
    case .start(let exchange): exchange
    case .stop, .endTunnelRequest, .admit: nil
    }
  }
}

/// The data to resume TLS with a pool's origins: the chains that were accepted last, and the TLS sessions. A
/// resumed session sends no certificates, and they are judged again all the same.
@ReactorActor
struct Resumptions {
  /// The data of one origin.
  @ReactorActor
  final class OriginData {
    let resumption: OpaquePointer

    fileprivate init?() {
      guard let resumption = transport_resumption_make() else { return nil }
      self.resumption = resumption
    }

    isolated deinit { transport_resumption_release(resumption) }
  }

  /// A TLS session takes about 4 KiB. A forgotten origin costs one full handshake.
  private static let capacity = 64

  private var entries: [Origin: OriginData] = [:]
  /// The identities presented to these origins: their TLS sessions stay authenticated with them.
  private var identities: [Origin: Set<String>] = [:]

  /// For a new connection to `origin`; nil when out of memory.
  mutating func entry(of origin: Origin) -> OriginData? {
    if let entry = entries[origin] { return entry }
    if entries.count >= Resumptions.capacity {
      entries.removeAll()
      identities.removeAll()
    }
    let entry = OriginData()
    entries[origin] = entry
    return entry
  }

  /// Stores what was presented in the handshake of this `X509_STORE_CTX`.
  func accept(_ chain: OpaquePointer, of origin: Origin) {
    if let entry = entries[origin] { transport_resumption_accept(entry.resumption, chain) }
  }

  mutating func note(_ identity: String, presentedTo origin: Origin) {
    identities[origin, default: []].insert(identity)
  }

  func identitiesPresented(to origin: Origin) -> Set<String> { identities[origin] ?? [] }
}
