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

/// Why a server refused what it was presented with (RFC 8446 §6.2); the wire's `reason`.
package enum ClientCertificateFault: String, Sendable, CaseIterable {
  /// It was presented with none, and wants one.
  case certificateRequired
  /// It does not take the one that it was presented with.
  case certificateRefused
  /// The token that has its key did not sign.
  case tokenFailed
}

package enum TimeoutPhase: String, Sendable {
  case connect
  case request
  case resource
}

/// One fault of a certificate chain and the depth at which it was found (0 is the server's own).
package struct TrustFault: Sendable, Hashable {
  package let reason: TrustReason
  package let depth: Int

  package init(reason: TrustReason, depth: Int) {
    self.reason = reason
    self.depth = depth
  }
}

/// The typed reasons of a trust verdict (challenges §2).
package enum TrustReason: String, Sendable, CaseIterable {
  case expired
  case notYetValid
  case hostMismatch
  case unknownIssuer
  case selfSigned
  case revoked
  /// Nothing current says that it is not revoked, and something insists on that.
  case revocationUnknown
  case weakSignature
  case weakKey
  case invalidPurpose
  case pathLength
  case nameConstraint
  /// It breaks a rule that RFC 5280 has for every certificate.
  case malformed
  case pinMismatch
  case policy
  /// Any other fault that the verifier names.
  case other
}
