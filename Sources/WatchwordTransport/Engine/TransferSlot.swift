internal import CTransport
internal import WatchwordCore
internal import WatchwordReactor

/// An easy handle of libcurl and the exchange that it carries out now.
///
/// Made once, with every option that is the same for all exchanges of the pool, and used again: setting
/// options afresh costs more than the rest of our part of a fetch.
@ReactorActor
final class TransferSlot {
  let easy: UnsafeMutableRawPointer
  /// Strong until `close`: weak references would make every retain of the pool slower.
  private(set) var pool: ConnectionPool?
  let fields = RequestFields()
  /// Where libcurl's header lines come together; its address is libcurl's user data.
  let head: UnsafeMutablePointer<transport_head>
  /// Where its exchange counts.
  var line: OriginLine?
  /// Where the slot is in the pool's list of active ones.
  var place = 0
  var isAdded = false
  /// False when the handle was set up in a way that cannot be undone.
  var isReusable = true
  private(set) var exchange: CurlExchange?
  private(set) var number: UInt64 = 0
  var transfer = Transfer()
  var current = CurrentOptions()

  /// What is true of one exchange only.
  struct Transfer {
    /// A final head that libcurl may still replace (417 to `Expect`).
    var heldHead: ResponseHead?
    var hasHead = false
    var framing: ResponseFraming?
    /// There from the first body byte on, when the body is encoded and is to be decoded.
    var decoding: ContentDecoding?
    var expectsContinue = false
    var refusedAddress = false
    /// What was opened to make a connection for it; several while attempts race (RFC 8305).
    var sockets: [Int32] = []
    var bodyBytes: Int64 = 0
    var sentBytes: Int64 = 0
    var body: RequestBodySource?
    /// The delegate wants no more; what libcurl says of that is no error.
    var isCutShort = false
    var isReceivePaused = false
    var isSendPaused = false
    var failure: TransportError?
    /// What the server asked for and was presented with in this exchange's handshake.
    var presentation: CertificatePresentation?
    /// From when on the request timeout counts: a connection was found, or something moved.
    var lastActivity: Double?
    /// How long the rest of the response may take, and until when that is.
    var restSeconds: Double?
    var restDeadline = Double.infinity
    /// How many bytes of header lines there were when somebody last looked.
    var seenHeadBytes = 0
  }

  /// The options that differ between exchanges, as they are set now.
  struct CurrentOptions {
    enum Method { case unset, get, head, post }
    var method = Method.unset
    var customMethod: String?
    var connectSeconds: Double?
    var requiresHTTP1 = false
  }

  init?(pool: ConnectionPool) {
    guard let easy = curl_easy_init() else { return nil }
    self.easy = easy
    self.pool = pool
    head = .allocate(capacity: 1)
    head.initialize(to: transport_head())
    guard setUp(pool) == CURLE_OK else {
      close()
      return nil
    }
  }

  func assign(_ exchange: CurlExchange) {
    self.exchange = exchange
    number = exchange.number
    transfer = Transfer()
  }

  /// Forgets the exchange; secrets in the request's memory are wiped.
  func reset() {
    transfer.body?.close()
    transfer = Transfer()
    exchange = nil
    transport_head_reset(head)
    transport_easy_set_pointer(easy, CURLOPT_HTTPHEADER, nil)
    if current.method == .post { transport_easy_set_pointer(easy, CURLOPT_POSTFIELDS, nil) }
    fields.wipe()
  }

  func close() {
    pool = nil
    curl_easy_cleanup(easy)
    fields.free()
    transport_head_free(head)
    head.deallocate()
  }

  var isEncoded: Bool { !(transfer.framing?.codings.isEmpty ?? true) }

  /// Whether libcurl has found no connection yet.
  var isUnsent: Bool { transfer.lastActivity == nil && transfer.failure == nil }

  /// Whether anything of a response has come.
  var hasBytes: Bool { head.pointee.total > 0 }

  func noteActivity() {
    if transfer.lastActivity != nil { transfer.lastActivity = EventLoop.shared.now }
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

  /// When the exchange has taken too long; nil while no time runs.
  var inactivityDeadline: Double? {
    guard let exchange, !exchange.isPaused, let request = exchange.request else { return nil }
    // Until a connection is there the connect timeout counts; look again after a whole interval.
    let activity = transfer.lastActivity ?? EventLoop.shared.now
    let deadline = min(transfer.restDeadline, activity + (request.timeouts.requestSeconds ?? .infinity))
    return deadline < .infinity ? deadline : nil
  }

  /// The slot behind libcurl's user data; it lives at least as long as its easy handle.
  static func from(_ context: UnsafeMutableRawPointer) -> TransferSlot {
    Unmanaged<TransferSlot>.fromOpaque(context).takeUnretainedValue()
  }
}
