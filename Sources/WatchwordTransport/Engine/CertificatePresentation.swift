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

extension CertificateRequest {
  /// Authorities that are read: servers that accept the certificates of a whole directory name some hundred.
  private static let maximumIssuers = 1024

  /// Reads OpenSSL's `SSL` after a CertificateRequest; nil when out of memory.
  init?(_ connection: OpaquePointer) {
    var issuers: [DistinguishedName] = []
    for index in 0..<min(Int(transport_request_issuer_count(connection)), CertificateRequest.maximumIssuers) {
      guard let name = transport_request_issuer(connection, Int32(index)),
        let digest = Fingerprint(ofName: name)
      else { return nil }
      issuers.append(DistinguishedName(text: Certificate.text(ofName: name), digest: digest))
    }
    let bits = transport_request_key_types(connection)
    let kinds: [(transport_key_type, IdentityKeyType)] = [
      (TRANSPORT_KEY_RSA, .rsa), (TRANSPORT_KEY_EC, .ec), (TRANSPORT_KEY_ED25519, .ed25519),
      (TRANSPORT_KEY_ED448, .ed448),
    ]
    self.init(
      issuers: issuers, keyTypes: Set(kinds.filter { bits & $0.0.rawValue != 0 }.map(\.1)))
  }
}
