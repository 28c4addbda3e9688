internal import WatchwordCore
package import WatchwordMessages
package import WatchwordVocabulary

/// A certificate of a token in `identity/tokens`.
package struct TokenCertificateDescription: Describing {
  package let uri: String
  package let certificate: Certificate

  package init(uri: String, certificate: Certificate) {
    self.uri = uri
    self.certificate = certificate
  }

  package var sent: Sent.TokenCertificate {
    Sent.TokenCertificate(
      pkcs11: uri, subject: certificate.subject, issuer: certificate.issuer,
      serialNumber: certificate.serialNumber, notBefore: Timestamp.text(certificate.notBefore),
      notAfter: Timestamp.text(certificate.notAfter), keyType: certificate.keyType,
      keyBits: certificate.keyBits, sha256: certificate.sha256.hexadecimal,
      publicKey: certificate.publicKey.pin)
  }
}
