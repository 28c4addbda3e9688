internal import CTransport
internal import Glibc
internal import WatchwordCore

/// What came of an exchange.
extension TransferSlot {
  /// The error that the delegate is told, or nil.
  func outcome(_ code: CURLcode) -> TransportError? {
    if let failure = transfer.failure { return failure }
    if head.pointee.is_too_large { return .headersTooLarge }
    // To libcurl that may be the end of a body without length.
    if transfer.connection?.isFlooded ?? false { return .connectionFlooded }
    // libcurl repeats only what it has no response to, but after a 417.
    let isWhole = code == CURLE_OK || transfer.isCutShort || (transfer.wasRepeated && transfer.hasHead)
    guard isWhole else {
      return (transfer.hasHead ? nil : transfer.handshake?.certificateRefusal) ?? error(code)
    }
    // A body without a single byte has no coding to be cut in.
    if let decoding = transfer.decoding, !transfer.isCutShort, !decoding.isWhole {
      return .contentDecodingFailed
    }
    if transfer.hasHead { return nil }
    // To libcurl the end of a connection inside of a head is the end of the head.
    return head.pointee.is_collecting ? .connectionLost(loss) : .malformedResponse
  }

  /// Over HTTP/2 a connection goes on when an exchange is given up. One over which nothing has come for as long as a
  /// request may take would be used again, and in vain. Others that are on it may have more time.
  func endDeadConnection() {
    guard let connection = transfer.connection, connection.networkProtocol == TRANSPORT_PROTOCOL_HTTP2,
      !connection.hasRead, !connection.isShared
    else { return }
    connection.end()
  }

  func metrics(countingIn counters: ConnectionCounters) -> ExchangeMetrics {
    var figures = transport_metrics()
    transport_easy_metrics(easy, &figures)
    counters.opened += figures.connections_made
    var metrics = ExchangeMetrics()
    metrics.isReused = transfer.isReused
    if metrics.isReused { counters.reused += 1 }
    metrics.nameLookupSeconds = Double(figures.name_lookup) / 1e6
    metrics.connectSeconds = Double(figures.connect) / 1e6
    metrics.tlsSeconds = Double(figures.tls) / 1e6
    metrics.firstByteSeconds = Double(figures.first_byte) / 1e6
    metrics.totalSeconds = Double(figures.total) / 1e6
    metrics.bytesSent = figures.bytes_sent
    metrics.bytesReceived = figures.bytes_received
    switch figures.http_version {
    case Int(CURL_HTTP_VERSION_1_0): metrics.networkProtocol = "http/1.0"
    case Int(CURL_HTTP_VERSION_1_1): metrics.networkProtocol = "http/1.1"
    case Int(CURL_HTTP_VERSION_2_0): metrics.networkProtocol = "h2"
    default: break
    }
    return metrics
  }

  private var osError: Int {
    var value = 0
    return transport_easy_os_error(easy, &value) == CURLE_OK ? value : 0
  }

  /// RFC 9110 §9.2.2: only what was never written is known not to be processed.
  private var loss: ConnectionLoss {
    ConnectionLoss(
      isBeforeFirstByte: !hasBytes, wasStale: transfer.isReused || transfer.wasRepeated,
      processed: hasBytes || hasWrittenRequest ? .unknown : .no)
  }

  /// Without TLS libcurl knows: its system calls have failed or not been made.
  private var hasWrittenRequest: Bool { transfer.connection?.hasWritten ?? transport_easy_has_written(easy) }

  private func error(_ code: CURLcode) -> TransportError {
    if transfer.wasRepeated { return .connectionLost(loss) }
    return switch code {
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .nameNotResolved
    case CURLE_COULDNT_CONNECT: transfer.refusedAddress ? .addressRefused : .connectionFailed
    // The only time limit that libcurl is given.
    case CURLE_OPERATION_TIMEDOUT: .timedOut(.connect)
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CIPHER, CURLE_SSL_CERTPROBLEM,
      CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_SHUTDOWN_FAILED:
      .tlsFailed
    case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_PARTIAL_FILE, CURLE_HTTP2_STREAM, CURLE_HTTP2:
      .connectionLost(loss)
    case CURLE_RECV_ERROR:
      // Also what libcurl says of a broken chunk; then the system has reported nothing.
      transfer.hasHead && osError == 0
        ? .malformedResponse : .connectionLost(loss)
    // A field that libcurl cannot keep (folded without a first line, NUL).
    case CURLE_BAD_FUNCTION_ARGUMENT where hasBytes: .malformedResponse
    // HTTP/0.9, a status line that is none, a length beyond 63 bits.
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_FILESIZE_EXCEEDED: .malformedResponse
    // Too many layers of a compressed transfer, which nobody asked for.
    case CURLE_BAD_CONTENT_ENCODING: .malformedResponse
    // What libcurl buffers for one line is bounded.
    case CURLE_OUT_OF_MEMORY where !transfer.hasHead: .headersTooLarge
    case CURLE_READ_ERROR: .requestBodyFailed
    default: .other(code: Int32(bitPattern: code.rawValue))
    }
  }
}
