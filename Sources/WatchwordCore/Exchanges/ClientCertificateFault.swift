/// Why a server refused what it was presented with (RFC 8446 §6.2); the wire's `reason`.
package enum ClientCertificateFault: String, Sendable, CaseIterable {
  /// It was presented with none, and wants one.
  case certificateRequired
  /// It does not take the one that it was presented with.
  case certificateRefused
  /// The token that has its key did not sign.
  case tokenFailed
}
