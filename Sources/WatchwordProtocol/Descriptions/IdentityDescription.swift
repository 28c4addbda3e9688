package import WatchwordCore
package import WatchwordMessages
package import WatchwordVocabulary

/// A client identity of a session or of its account as `identity/list` shows it: never its key.
package struct IdentityDescription: Describing {
  private let identity: Identity
  private let origin: Origin?
  private let persistence: Persistence
  private let use: UseDescription

  package init(_ entry: IdentityStore.Entry, now: Double, wallClock: Double) {
    (identity, origin, persistence) = (entry.identity, entry.origin, .forSession)
    use = UseDescription(entry.record, now: now, wallClock: wallClock)
  }

  package init(_ entry: PermanentIdentities.Entry, now: Double, wallClock: Double) {
    (identity, origin, persistence) = (entry.identity, entry.origin, .permanent)
    use = UseDescription(entry.record, now: now, wallClock: wallClock)
  }

  package var sent: Sent.Identity {
    let certificate = identity.certificate
    return Sent.Identity(
      identity: identity.identifier, origin: origin?.description, subject: certificate.subject,
      issuer: certificate.issuer, serialNumber: certificate.serialNumber,
      notBefore: Timestamp.text(certificate.notBefore), notAfter: Timestamp.text(certificate.notAfter),
      keyType: certificate.keyType, keyBits: certificate.keyBits, sha256: certificate.sha256.hexadecimal,
      publicKey: certificate.publicKey.pin, pkcs11: identity.token?.text, chainLength: identity.chainLength,
      persistence: persistence.rawValue, limits: use.record.limits.sentOfHandshake, uses: use.record.uses,
      lastUsed: use.lastUsed, created: use.created, secondsLeft: use.secondsLeft)
  }
}

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
