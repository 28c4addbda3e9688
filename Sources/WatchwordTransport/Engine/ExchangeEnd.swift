internal import CTransport
internal import WatchwordCore

/// What is known of an exchange at its end, and the one rule that says why it failed.
struct ExchangeEnd {
  /// libcurl's result.
  let code: CURLcode
  /// The reason for which the exchange was ended from here; what libcurl says afterwards is its consequence.
  var failure: TransportError?
  /// The connection was ended because of what the server sent over it.
  var isFlooded = false
  /// A whole response head has arrived.
  var hasHead = false
  var isHeadTooLarge = false
  /// A head has begun and not ended.
  var isHeadCut = false
  /// Anything of a response has arrived.
  var hasBytes = false
  /// The delegate wanted no more of the body.
  var isCutShort = false
  /// The body has ended inside its content coding.
  var isCodingCut = false
  /// libcurl wanted to send the request a second time, and was stopped.
  var wasRepeated = false
  /// The connection had served another exchange before.
  var isReused = false
  var hasWrittenRequest = false
  /// What the server said of a client certificate, in an alert.
  var certificateRefusal: TransportError?
  /// A name led to an address that the daemon does not connect to.
  var refusedAddress = false
  /// A system call has failed.
  var hasSystemError = false

  init(_ code: CURLcode) { self.code = code }

  /// Why the exchange failed; nil when the response is whole, or as much of it as was wanted.
  var error: TransportError? {
    if let failure { return failure }
    if isHeadTooLarge { return .headersTooLarge }
    // To libcurl that may be the end of a body without length.
    if isFlooded { return .connectionFlooded }
    guard isComplete else { return hasHead ? reason : certificateRefusal ?? reason }
    if isCodingCut, !isCutShort { return .contentDecodingFailed }
    if hasHead { return nil }
    // To libcurl the end of a connection inside of a head is the end of the head.
    return isHeadCut ? .connectionLost(loss) : .malformedResponse
  }

  /// Whether the client certificate is the reason.
  var isCertificateRefused: Bool {
    failure == nil && certificateRefusal != nil && error == certificateRefusal
  }

  /// libcurl repeats only what it has no response to, but after a 417.
  private var isComplete: Bool { code == CURLE_OK || isCutShort || (wasRepeated && hasHead) }

  /// RFC 9110 §9.2.2: only what was never written is known not to be processed.
  private var loss: ConnectionLoss {
    ConnectionLoss(
      isBeforeFirstByte: !hasBytes, wasStale: isReused || wasRepeated,
      processed: hasBytes || hasWrittenRequest ? .unknown : .no)
  }

  /// What libcurl's result means.
  private var reason: TransportError {
    if wasRepeated { return .connectionLost(loss) }
    return switch code {
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .nameNotResolved
    case CURLE_COULDNT_CONNECT: refusedAddress ? .addressRefused : .connectionFailed
    // The only time limit that libcurl is given.
    case CURLE_OPERATION_TIMEDOUT: .timedOut(.connect)
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CIPHER, CURLE_SSL_CERTPROBLEM,
      CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_SHUTDOWN_FAILED:
      .tlsFailed
    case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_PARTIAL_FILE, CURLE_HTTP2_STREAM, CURLE_HTTP2:
      .connectionLost(loss)
    // Also what libcurl says of a broken chunk; then the system has reported nothing.
    case CURLE_RECV_ERROR: hasHead && !hasSystemError ? .malformedResponse : .connectionLost(loss)
    // A field that libcurl cannot keep (folded without a first line, NUL).
    case CURLE_BAD_FUNCTION_ARGUMENT where hasBytes: .malformedResponse
    // HTTP/0.9, a status line that is none, a length beyond 63 bits.
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_FILESIZE_EXCEEDED: .malformedResponse
    // Too many layers of a compressed transfer, which was not asked for.
    case CURLE_BAD_CONTENT_ENCODING: .malformedResponse
    // What libcurl buffers for one line is bounded.
    case CURLE_OUT_OF_MEMORY where !hasHead: .headersTooLarge
    case CURLE_READ_ERROR: .requestBodyFailed
    default: .other(code: Int32(bitPattern: code.rawValue))
    }
  }
}
