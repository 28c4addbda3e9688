internal import CTransport
internal import WatchwordCore
internal import WatchwordVocabulary

/// What a server requested and which client certificate was presented.
struct CertificatePresentation {
  let request: CertificateRequest
  /// Nil: none.
  var identity: ClientIdentity?
  /// Whether the server has refused it.
  var isRefused = false

  /// Takes an alert by which servers refuse a certificate, or the lack of one: before TLS 1.3 such alerts say only
  /// that the handshake has failed (RFC 5246 §7.2.2, RFC 8446 §6.2).
  mutating func note(alert: Int32) {
    switch alert {
    case SSL_AD_HANDSHAKE_FAILURE, SSL_AD_BAD_CERTIFICATE, SSL_AD_UNSUPPORTED_CERTIFICATE,
      SSL_AD_CERTIFICATE_REVOKED, SSL_AD_CERTIFICATE_EXPIRED, SSL_AD_CERTIFICATE_UNKNOWN, SSL_AD_UNKNOWN_CA,
      SSL_AD_ACCESS_DENIED, SSL_AD_CERTIFICATE_REQUIRED:
      isRefused = true
    default: break
    }
  }
}
