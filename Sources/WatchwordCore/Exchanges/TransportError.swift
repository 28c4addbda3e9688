package import WatchwordVocabulary

/// Why an exchange ended without a complete response. Cases hold nothing that could be secret.
package enum TransportError: Error, Sendable, Equatable {
  case nameNotResolved
  case connectionFailed
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
  /// The TLS handshake failed for a reason other than the server's certificate.
  case tlsFailed
  /// The handshake stopped before anything was sent, to ask whether to trust these certificates.
  indirect case serverTrustUndecided(ServerTrust)
  /// The handshake stopped before anything was sent, to ask which client certificate to present.
  indirect case clientCertificateUndecided(CertificateRequest)
  /// The server refused to continue without a client certificate, or with the one that was presented.
  case clientCertificateRefused(ClientCertificateFault)
  /// The server's certificate chain was refused, by default evaluation for these faults or by an answer.
  case serverTrustRejected([TrustFault])
  case addressRefused
  /// The connection on which the request had to be sent is closed, or is not to the server that its token is for.
  /// Nothing of the request was sent.
  case boundConnectionLost
  /// A body that could be sent only once would have to be sent again.
  case bodyNotReplayable
  /// Reading the caller's body or writing to the caller's descriptor failed.
  case requestBodyFailed
  case cancelled
  /// The proxy wants a credential before it opens a tunnel, or refuses the one that it was sent; nil from SOCKS.
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
