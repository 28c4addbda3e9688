internal import Glibc
package import WatchwordVocabulary

/// Why an exchange ended without a complete response. Cases hold nothing that could be secret.
package enum TransportError: Error, Sendable, Equatable {
  case nameNotResolved
  /// No connection could be made; why, if the system says so.
  case connectionFailed(ConnectionFault?)
  case connectionLost(ConnectionLoss)
  /// The server sent too much without progress of any exchange; its connection was closed.
  case connectionFlooded
  case timedOut(TimeoutPhase)
  case malformedResponse
  case headersTooLarge
  case bodyTooLarge
  case contentDecodingFailed
  /// Decoding the body takes more memory than the uid may hold.
  case overBudget
  /// The TLS handshake failed for a reason other than a certificate; which, if that is known.
  case tlsFailed(HandshakeFault?)
  /// The handshake stopped before anything was sent, to ask whether to trust these certificates.
  indirect case serverTrustUndecided(ServerTrust)
  /// The handshake stopped before anything was sent, to ask which client certificate to present.
  indirect case clientCertificateUndecided(CertificateRequest)
  /// The server refused to continue without a client certificate, or with the one that was presented.
  case clientCertificateRefused(ClientCertificateFault)
  /// The server's certificate chain was refused, by default evaluation for these faults or by an answer.
  case serverTrustRejected([TrustFault])
  case addressRefused
  /// The connection on which the request had to be sent is closed, or is not to the server that its token is
  /// for. Nothing of the request was sent.
  case boundConnectionLost
  /// A body that could be sent only once would have to be sent again.
  case bodyNotReplayable
  /// Reading the caller's body or writing to the caller's descriptor failed.
  case requestBodyFailed
  case cancelled
  /// The proxy wants a credential before it opens a tunnel, or refuses the one that it was sent; nil from
  /// SOCKS.
  indirect case proxyAuthenticationRequired(ResponseHead?)
  /// The proxy opens no tunnel; its response.
  indirect case proxyRefused(ResponseHead)
  /// The SOCKS proxy opens no connection.
  case socksRefused(SOCKSFault)
  /// The setting of this name that chooses the proxy is no proxy's URL.
  case proxyMalformed(setting: String)
  /// The same at the proxy, or on the connection that leads through it.
  indirect case atProxy(TransportError)
  /// Any other error of the transport; `code` is libcurl's number, for the log.
  case other(code: Int32)

  /// A SOCKS proxy has refused the login, or a connection without one.
  package static let loginRefused = proxyAuthenticationRequired(nil)

  /// Whether the handshake stopped to ask a delegate; the exchange starts again with the answer.
  package var isQuestion: Bool {
    switch self {
    case .serverTrustUndecided, .clientCertificateUndecided: true
    case .atProxy(let error): error.isQuestion
    case .nameNotResolved, .connectionFailed, .connectionLost, .connectionFlooded, .timedOut,
      .malformedResponse,
      .headersTooLarge,
      .bodyTooLarge, .contentDecodingFailed, .overBudget, .tlsFailed, .clientCertificateRefused,
      .serverTrustRejected,
      .addressRefused, .boundConnectionLost, .bodyNotReplayable, .requestBodyFailed, .cancelled, .other,
      .proxyAuthenticationRequired, .proxyRefused, .socksRefused, .proxyMalformed:
      false
    }
  }

  /// How the connection was lost, at whichever hop.
  var connectionLoss: ConnectionLoss? {
    switch self {
    case .connectionLost(let loss): loss
    case .atProxy(let error): error.connectionLoss
    case .serverTrustUndecided, .clientCertificateUndecided, .nameNotResolved, .connectionFailed,
      .connectionFlooded, .timedOut, .malformedResponse, .headersTooLarge, .bodyTooLarge,
      .contentDecodingFailed, .overBudget,
      .tlsFailed, .clientCertificateRefused, .serverTrustRejected, .addressRefused, .boundConnectionLost,
      .bodyNotReplayable,
      .requestBodyFailed, .cancelled, .other, .proxyAuthenticationRequired, .proxyRefused, .socksRefused,
      .proxyMalformed:
      nil
    }
  }
}

extension ConnectionFault {
  /// - Parameter systemError: `errno`.
  package init?(systemError: Int32) {
    switch systemError {
    case ECONNREFUSED: self = .connectionRefused
    case EHOSTUNREACH, EHOSTDOWN: self = .hostUnreachable
    case ENETUNREACH, ENETDOWN: self = .networkUnreachable
    default: return nil
    }
  }
}

extension HandshakeFault {
  /// - Parameter alert: the number of a fatal alert.
  package init?(alert: Int32) {
    switch alert {
    case 40: self = .handshakeFailure
    case 70: self = .protocolVersion
    case 112: self = .unrecognizedName
    default: return nil
    }
  }

  /// Nil for bytes with which TLS can begin.
  ///
  /// - Parameter header: the first bytes that the server has sent, in place of a record's header (RFC 8446
  ///   §5.1).
  package init?(firstBytes header: some Collection<UInt8>) {
    // The type of the record, and the first byte of its version.
    let begin = Array(header.prefix(2))
    if header.starts(with: "HTTP".utf8) {
      self = .plainHTTP
    } else if let type = begin.first,
      !(20...24).contains(type) || !begin.dropFirst().allSatisfy({ $0 == 3 })
    {
      self = .notTLS
    } else {
      return nil
    }
  }

  /// Whether what a session asks of TLS can be the cause.
  package var isOfParameters: Bool { self == .handshakeFailure || self == .protocolVersion }
}

/// How the connection of an exchange ended before the response was complete.
package struct ConnectionLoss: Sendable, Equatable {
  /// Nothing of a response had arrived.
  package var isBeforeFirstByte: Bool
  /// The connection had served other exchanges, or its server was closing it or has refused the request over
  /// HTTP/2: servers end such connections regardless of the request, and another connection may succeed.
  package var wasStale: Bool
  package var processed: Processed
  /// The server takes the request over HTTP/1.1 only (RFC 9113 §7, HTTP_1_1_REQUIRED).
  package var requiresHTTP1: Bool

  package init(
    isBeforeFirstByte: Bool, wasStale: Bool = false, processed: Processed = .unknown,
    requiresHTTP1: Bool = false
  ) {
    self.isBeforeFirstByte = isBeforeFirstByte
    self.wasStale = wasStale
    self.processed = processed
    self.requiresHTTP1 = requiresHTTP1
  }
}
