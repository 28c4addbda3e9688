internal import CTransport
internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordVocabulary

/// An easy handle of libcurl and the one exchange that it carries out.
///
/// Never used again: libcurl 7.88 keeps pointers into a handle's previous response, which it has freed. A
/// fresh handle costs 13,000 instructions more.
@ReactorActor
final class TransferSlot {
  let easy: UnsafeMutableRawPointer
  /// Strong until `close`: weak references would make every retain of the pool slower.
  private(set) var pool: ConnectionPool?
  let fields = RequestFields()
  /// What a proxy gets; nil where there is none.
  var proxy: ProxyUse?
  /// Where libcurl's header lines come together; its address is libcurl's user data.
  let head: UnsafeMutablePointer<transport_head>
  /// Where its exchange counts.
  var line: OriginLine?
  /// What libcurl reads instead of the URL's text.
  private var url: OriginURL.Parsed?
  /// Where the slot is in the pool's list of active ones.
  var place = 0
  var isAdded = false
  let exchange: CurlExchange
  var transfer = Transfer()

  /// How far the exchange has come.
  struct Transfer {
    var hasHead = false
    /// The request has been given to a connection: libcurl must not give it to another one.
    var isSent = false
    /// libcurl was about to send the request again; it was stopped.
    var wasRepeated = false
    /// What libcurl says of an exchange over HTTP/2.
    var report: StreamReport?
    /// There where the details of the exchange are wanted.
    var record: ExchangeRecord?
    /// Of its connection; nil: not yet known, or one that carries many requests at once.
    var number: UInt64?
    /// The connection had served other exchanges.
    var isReused = false
    /// The connection does not speak what was hoped for: nothing was sent, and the exchange begins again.
    var beginsAgain = false
    /// libcurl has given it a connection that another exchange is making: nothing was sent, and it stands in
    /// line again.
    var hasJoinedEarly = false
    /// What was sent over TLS, and how much had been before.
    var connection: SlotConnection?
    var framing: ResponseFraming?
    /// There from the first body byte on, when the body is encoded and is to be decoded.
    var decoding: ContentDecoding?
    var expectsContinue = false
    /// Whether cookies that are kept are sent, and those of the response kept.
    var takesCookies = false
    var refusedAddress = false
    /// The proxy has agreed to the tunnel that the exchange asks for.
    var opensTunnel = false
    /// What was opened to make a connection for it; several while attempts race (RFC 8305).
    var sockets: [Int32] = []
    var bodyBytes: Int64 = 0
    var sentBytes: Int64 = 0
    var body: RequestBodySource?
    /// The delegate wants no more; what libcurl says of that is no error.
    var isCutShort = false
    var isReceivePaused = false
    /// How much of libcurl's buffer has been used, how much of the one for the request's body, and what is
    /// counted for both and for a copy of that body.
    var usedBuffer = 0
    var usedUploadBuffer = 0
    var countedBuffers = 0
    var isSendPaused = false
    /// Nil: as fast as the caller and the server are.
    var pace: TransferPace?
    var failure: TransportError?
    /// Of the connection that was made for the exchange, if one was.
    var handshake: Handshake?
    /// From when on the request timeout counts: a connection was found, or something moved.
    var lastActivity: Double?
    /// When libcurl took it.
    var began = 0.0
    /// Until when its handshake waits for a token; nil while the connect timeout is libcurl's.
    var signingDeadline: Double?
    /// How long the rest of the response may take, and until when that is.
    var restSeconds: Double?
    var restDeadline = Double.infinity
    /// How many bytes of header lines the proxy sent before it opened a tunnel.
    var proxyHeadBytes = 0
    /// How many bytes of header lines there were at the last look.
    var seenHeadBytes = 0
  }

  init?(_ exchange: CurlExchange, pool: ConnectionPool) {
    guard let easy = curl_easy_init() else { return nil }
    self.easy = easy
    self.exchange = exchange
    self.pool = pool
    head = .allocate(capacity: 1)
    head.initialize(to: transport_head())
    guard setUp(pool) == CURLE_OK else {
      close()
      return nil
    }
  }

  /// Frees the handle and what it points to; secrets in the request's memory are wiped.
  func close() {
    pool = nil
    curl_easy_cleanup(easy)
    url = nil
    transfer.report = nil
    transfer.record = nil
    transfer.body?.close()
    transfer.connection = nil
    transfer.handshake?.exchangeEnded()
    fields.free()
    proxy?.free()
    transport_head_free(head)
    head.deallocate()
  }

  /// Says what to fetch.
  func setURL(_ request: RequestURL) -> CURLcode {
    var code = transport_easy_set_text(easy, CURLOPT_URL, request.text)
    if code == CURLE_OK, request.query?.isEmpty == true {
      // libcurl 8.8 would leave the `?` out.
      let isAbsolute = exchange.request?.proxy?.isTunnel == false
      let target = isAbsolute ? request.text : request.requestTarget
      code = transport_easy_set_text(easy, CURLOPT_REQUEST_TARGET, target)
    }
    guard code == CURLE_OK, let parts = pool?.parsed(request, in: line) else { return code }
    url = parts
    return transport_easy_set_pointer(easy, CURLOPT_CURLU, UnsafeRawPointer(parts.handle))
  }

  /// Whether it is its pool's; if not, the handle is freed.
  var isAttached: Bool { pool != nil }

  var isEncoded: Bool { !(transfer.framing?.codings.isEmpty ?? true) }

  /// Whether libcurl has found no connection yet.
  var isUnsent: Bool { transfer.lastActivity == nil && transfer.failure == nil }

  /// Whether anything of a response has come.
  var hasBytes: Bool { head.pointee.total > transfer.proxyHeadBytes }

  func noteActivity() {
    if transfer.lastActivity != nil { transfer.lastActivity = EventLoop.shared.now }
    guard let pool else { return }
    pool.progress &+= 1
    transport_guard_restart(pool.guardState)
  }

  /// The first failure is the reason; what libcurl says afterwards is its consequence.
  func fail(_ error: TransportError) {
    if transfer.failure == nil { transfer.failure = error }
  }

  /// Header lines that came since the last look are progress, too.
  func noteHeadActivity() {
    guard head.pointee.total != transfer.seenHeadBytes else { return }
    transfer.seenHeadBytes = head.pointee.total
    noteActivity()
  }

  func limitRest(seconds: Double) {
    transfer.restSeconds = seconds
    restartRest()
  }

  /// What was spent paused does not count.
  func restartRest() {
    if let seconds = transfer.restSeconds { transfer.restDeadline = EventLoop.shared.now + seconds }
  }

  /// Which time limit runs while nothing arrives: a request for a tunnel is a part of connecting.
  var timeoutPhase: TimeoutPhase {
    proxy?.hop.tunnel == .requested || isSigning ? .connect : .request
  }

  /// Whether the connect timeout is ours, and runs.
  private var isSigning: Bool { transfer.signingDeadline != nil && transfer.lastActivity == nil }

  /// When the exchange has taken too long; nil while no time runs.
  var inactivityDeadline: Double? {
    if isSigning { return transfer.signingDeadline }
    guard !exchange.isPaused, exchange.request != nil else { return nil }
    // Until a connection is there the connect timeout counts; look again after a whole interval.
    let activity = transfer.lastActivity ?? EventLoop.shared.now
    let timeouts = exchange.setup.settings.timeouts
    let seconds = timeoutPhase == .connect ? timeouts.connectSeconds : timeouts.requestSeconds
    let deadline = min(transfer.restDeadline, activity + (seconds ?? .infinity))
    return deadline < .infinity ? deadline : nil
  }

  /// The handshake waits: libcurl's own limit would close the connection under it.
  func takeOverConnectTimeout() {
    guard exchange.request != nil, let seconds = exchange.setup.settings.timeouts.connectSeconds,
      seconds.isFinite
    else { return }
    transfer.signingDeadline = transfer.began + seconds
    _ = transport_easy_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, Self.endlessMilliseconds)
    pool?.watchInactivity(of: self)
  }

  /// Has libcurl call the handshake again, which it forgets while that waits for no socket: what ends a pause
  /// runs the transfer.
  func wake() {
    _ = curl_easy_pause(easy, CURLPAUSE_SEND)
    _ = curl_easy_pause(easy, CURLPAUSE_CONT)
  }

  /// The slot behind libcurl's user data; it lives at least as long as its easy handle.
  static func from(_ context: UnsafeMutableRawPointer) -> TransferSlot {
    Unmanaged<TransferSlot>.fromOpaque(context).takeUnretainedValue()
  }
}
