/// Why an exchange ended without a whole response. Cases hold nothing that could be secret.
package enum TransportError: Error, Sendable, Equatable {
  case nameNotResolved
  case connectionFailed
  case connectionLost(ConnectionLoss)
  /// The server sent so much that brings no exchange forward that its connection was ended.
  case connectionFlooded
  case timedOut(TimeoutPhase)
  case malformedResponse
  case headersTooLarge
  case bodyTooLarge
  case contentDecodingFailed
  /// The TLS handshake failed for another reason than the server's certificate.
  case tlsFailed
  /// The handshake was stopped before anything was sent, to ask whether these certificates will do.
  indirect case serverTrustUndecided(ServerTrust)
  /// The handshake was stopped before anything was sent, to ask which client certificate to present.
  indirect case clientCertificateUndecided(CertificateRequest)
  /// The server did not go on without a client certificate, or with the one that was presented.
  case clientCertificateRefused(ClientCertificateFault)
  /// The server's certificate chain was refused, by default evaluation for these faults or by an answer.
  case serverTrustRejected([TrustFault])
  case addressRefused
  /// A body that could be sent only once would have to be sent again.
  case bodyNotReplayable
  /// Reading the caller's body or writing to the caller's descriptor failed.
  case requestBodyFailed
  case cancelled
  /// Whatever else the transport reports; `code` is libcurl's number, for the log.
  case other(code: Int32)

  /// Whether the handshake was stopped to ask somebody; the exchange begins again with the answer.
  package var isQuestion: Bool {
    switch self {
    case .serverTrustUndecided, .clientCertificateUndecided: true
    case .nameNotResolved, .connectionFailed, .connectionLost, .connectionFlooded, .timedOut,
      .malformedResponse,
      .headersTooLarge,
      .bodyTooLarge, .contentDecodingFailed, .tlsFailed, .clientCertificateRefused, .serverTrustRejected,
      .addressRefused, .bodyNotReplayable, .requestBodyFailed, .cancelled, .other:
      false
    }
  }
}
