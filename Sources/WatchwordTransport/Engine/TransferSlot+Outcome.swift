internal import CTransport
internal import Glibc
internal import WatchwordCore
internal import WatchwordVocabulary

/// How an exchange ended, and its metrics.
extension TransferSlot {
  /// Why the exchange failed, or nil.
  func error(_ code: CURLcode) -> TransportError? {
    var end = ExchangeEnd(code)
    end.failure = transfer.failure
    end.isFlooded = transfer.connection?.isFlooded ?? false
    end.hasHead = transfer.hasHead
    end.isHeadTooLarge = head.pointee.is_too_large
    end.isHeadCut = head.pointee.is_collecting
    end.hasBytes = hasBytes
    end.isCutShort = transfer.isCutShort
    // A body without a single byte has no incomplete coding.
    end.isCodingCut = transfer.decoding.map { !$0.isWhole } ?? false
    end.wasRepeated = transfer.wasRepeated
    end.isReused = transfer.isReused
    end.refusal = transfer.report?.refusal
    // Without TLS libcurl knows whether its system calls were made and succeeded.
    // What was written to a proxy before is no request.
    end.hasWrittenRequest =
      transfer.isSent && (transfer.connection?.hasWritten ?? transport_easy_has_written(easy))
    // A second handshake is for a certificate. It may be the connection of an earlier exchange.
    let isLater = transfer.connection?.wantsHandshake ?? false
    end.certificateRefusal =
      isLater
      ? .clientCertificateRefused(.certificateRequiredLater) : transfer.handshake?.certificateRefusal
    end.refusedAddress = transfer.refusedAddress
    end.hasSystemError = code == CURLE_RECV_ERROR && systemError != 0
    end.connectionFault = ConnectionFault(systemError: systemError)
    end.handshakeFault = transfer.handshake?.fault
    if end.isCertificateRefused { transfer.handshake?.noteCertificateRefusal() }
    return proxyError(end) ?? end.error
  }

  /// The digest fields behind the body. Their names are few: nothing else is read of trailers.
  var trailers: [HeaderField] {
    var fields: [HeaderField] = []
    for name in ["Repr-Digest", "Content-Digest"] {
      var index = 0
      while index < 8, let value = transport_easy_trailer(easy, name, index) {
        fields.append(HeaderField(name, octets: UnsafeRawBufferPointer(start: value, count: strlen(value))))
        index += 1
      }
    }
    return fields
  }

  /// Ends an HTTP/2 connection over which nothing has arrived for the whole request timeout; libcurl would
  /// keep and reuse it in vain. Other exchanges on it may have more time.
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
    metrics.details = detailsOfExchange()
    return metrics
  }

  /// `errno` of the last system call of libcurl that failed; 0 when none has.
  private var systemError: Int32 {
    var number = 0
    return transport_easy_os_error(easy, &number) == CURLE_OK ? Int32(truncatingIfNeeded: number) : 0
  }
}
