internal import CTransport
internal import WatchwordCore

/// The facts about an exchange at its end, and the one rule that derives why it failed.
struct ExchangeEnd {
  /// libcurl's result.
  let code: CURLcode
  /// The reason why the transport ended the exchange; libcurl's result is then only a consequence.
  var failure: TransportError?
  /// The connection was closed because of what the server sent over it.
  var isFlooded = false
  /// A whole response head has arrived.
  var hasHead = false
  var isHeadTooLarge = false
  /// A head has begun and is incomplete.
  var isHeadCut = false
  /// Any byte of a response has arrived.
  var hasBytes = false
  /// The delegate needed no more of the body.
  var isCutShort = false
  /// The body has ended inside its content coding.
  var isCodingCut = false
  /// libcurl was about to send the request a second time, and was stopped.
  var wasRepeated = false
  /// The connection had served another exchange before.
  var isReused = false
  var hasWrittenRequest = false
  /// How the server has said over HTTP/2 that it did not process the request.
  var refusal: StreamReport.Refusal?
  /// The server's alert about a client certificate.
  var certificateRefusal: TransportError?
  /// A name resolved to an address that the daemon refuses.
  var refusedAddress = false
  /// Why the last attempt to connect failed.
  var connectionFault: ConnectionFault?
  var handshakeFault: HandshakeFault?
  /// A system call has failed.
  var hasSystemError = false

  init(_ code: CURLcode) { self.code = code }

  /// Why the exchange failed; nil when the response is complete, or as much of it as was needed.
  var error: TransportError? {
    if let failure { return failure }
    if isHeadTooLarge { return .headersTooLarge }
    // libcurl may take that for the end of a body without length.
    if isFlooded { return .connectionFlooded }
    guard isComplete else { return hasHead ? reason : certificateRefusal ?? reason }
    if isCodingCut, !isCutShort { return .contentDecodingFailed }
    if hasHead { return nil }
    // libcurl takes the end of a connection inside a head for the end of the head.
    return isHeadCut ? .connectionLost(loss) : .malformedResponse
  }

  /// Whether the failure is due to the client certificate.
  var isCertificateRefused: Bool {
    failure == nil && certificateRefusal != nil && error == certificateRefusal
  }

  /// libcurl repeats only requests without a response, except after a 417.
  private var isComplete: Bool { code == CURLE_OK || isCutShort || (wasRepeated && hasHead) }

  /// RFC 9110 §9.2.2, RFC 9113 §8.7: a request is known not to be processed if it was never written, or if
  /// the server says so.
  private var loss: ConnectionLoss {
    let isUnprocessed = !hasBytes && (!hasWrittenRequest || refusal != nil)
    return ConnectionLoss(
      isBeforeFirstByte: !hasBytes, wasStale: isReused || wasRepeated || refusal != nil,
      processed: isUnprocessed ? .no : .unknown, requiresHTTP1: refusal == .requiresHTTP1)
  }

  /// The meaning of libcurl's result.
  private var reason: TransportError {
    if wasRepeated { return .connectionLost(loss) }
    return switch code {
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .nameNotResolved
    case CURLE_COULDNT_CONNECT: refusedAddress ? .addressRefused : .connectionFailed(connectionFault)
    // The only time limit that is set in libcurl.
    case CURLE_OPERATION_TIMEDOUT: .timedOut(.connect)
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CIPHER, CURLE_SSL_CERTPROBLEM,
      CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_SHUTDOWN_FAILED:
      .tlsFailed(handshakeFault)
    case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_PARTIAL_FILE, CURLE_HTTP2_STREAM, CURLE_HTTP2:
      .connectionLost(loss)
    // Also libcurl's result for a broken chunk; the system has then reported no error.
    case CURLE_RECV_ERROR: hasHead && !hasSystemError ? .malformedResponse : .connectionLost(loss)
    // A field that libcurl cannot store (folded without a first line, NUL).
    case CURLE_BAD_FUNCTION_ARGUMENT where hasBytes: .malformedResponse
    // HTTP/0.9, an invalid status line, a length beyond 63 bits.
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_FILESIZE_EXCEEDED: .malformedResponse
    // Too many layers of a compressed transfer, which was not requested.
    case CURLE_BAD_CONTENT_ENCODING: .malformedResponse
    // libcurl limits its buffer for one line, and the number of fields, those of trailers included.
    case CURLE_OUT_OF_MEMORY where !hasHead, transport_too_large: .headersTooLarge
    case CURLE_READ_ERROR: .requestBodyFailed
    default: .other(code: Int32(bitPattern: code.rawValue))
    }
  }
}
