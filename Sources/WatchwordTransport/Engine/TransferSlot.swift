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
  private(set) weak var pool: ConnectionPool?
  let fields = RequestFields()
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
    var head = ResponseHeadParser()
    /// A final head that libcurl may still replace (417 to `Expect`).
    var heldHead: ResponseHead?
    var hasHead = false
    var hasBytes = false
    var isEncoded = false
    var setsCookies = false
    var expectsContinue = false
    var refusedAddress = false
    var bodyBytes: Int64 = 0
    var sentBytes: Int64 = 0
    var body: RequestBodySource?
    var isReceivePaused = false
    var isSendPaused = false
    var failure: TransportError?
    var trustFaults: [TrustFault] = []
    /// From when on the request timeout counts: a connection was found, or something moved.
    var lastActivity: Double?
  }

  /// The options that differ between exchanges, as they are set now.
  struct CurrentOptions {
    enum Method { case unset, get, head, post }
    var method = Method.unset
    var customMethod: String?
    var decodesContent = true
    var connectSeconds: Double?
    var requiresHTTP1 = false
    var isSmallBuffer = false
  }

  init?(pool: ConnectionPool) {
    guard let easy = curl_easy_init() else { return nil }
    self.easy = easy
    self.pool = pool
    guard setUp(pool) == CURLE_OK else {
      curl_easy_cleanup(easy)
      fields.free()
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
    transport_easy_set_pointer(easy, CURLOPT_HTTPHEADER, nil)
    if current.method == .post { transport_easy_set_pointer(easy, CURLOPT_POSTFIELDS, nil) }
    fields.wipe()
  }

  func close() {
    curl_easy_cleanup(easy)
    fields.free()
  }

  func noteActivity() {
    if transfer.lastActivity != nil { transfer.lastActivity = EventLoop.shared.now }
  }

  /// The first failure is the reason; what libcurl says afterwards is its consequence.
  func fail(_ error: TransportError) {
    if transfer.failure == nil { transfer.failure = error }
  }

  /// When the request timeout is over; nil while none runs.
  var inactivityDeadline: Double? {
    guard let exchange, !exchange.isPaused, let seconds = exchange.request?.timeouts.requestSeconds else {
      return nil
    }
    // Until a connection is there the connect timeout counts; look again after a whole interval.
    return (transfer.lastActivity ?? EventLoop.shared.now) + seconds
  }

  /// The slot behind libcurl's user data; it lives at least as long as its easy handle.
  static func from(_ context: UnsafeMutableRawPointer) -> TransferSlot {
    Unmanaged<TransferSlot>.fromOpaque(context).takeUnretainedValue()
  }
}
