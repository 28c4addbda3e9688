/// Why a server refused a client certificate (RFC 8446 §6.2); the wire's `reason`.
package enum ClientCertificateFault: String, Sendable, CaseIterable {
  /// No certificate was presented, and the server requires one.
  case certificateRequired
  /// The server wants a second handshake on the connection, which is not done (RFC 5246 §7.4.1.1): it asks for a
  /// certificate when it has read the request.
  case certificateRequiredLater
  /// The server refuses the certificate that was presented.
  case certificateRefused
  /// The token that holds its key did not sign.
  case tokenFailed
}
