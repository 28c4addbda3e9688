package import WatchwordCore
package import WatchwordMessages
package import WatchwordVocabulary

/// A client identity as `identity/list` shows it: never its key.
extension Sent.Identity {
  /// One of a session.
  package init(_ entry: IdentityStore.SessionIdentity, now: Double, wallClock: Double) {
    let use = UseDescription(entry.record, now: now, wallClock: wallClock)
    self.init(entry.identity, for: entry.origin, .forSession, entry.record, use)
  }

  /// One of its account.
  package init(_ entry: PermanentIdentities.StoredIdentity, now: Double, wallClock: Double) {
    let use = UseDescription(entry.record, now: now, wallClock: wallClock)
    self.init(entry.identity, for: entry.origin, .permanent, entry.record, use)
  }

  private init(
    _ identity: Identity, for origin: Origin?, _ persistence: Persistence, _ record: UseRecord,
    _ use: UseDescription
  ) {
    let certificate = identity.certificate
    self.init(
      identity: identity.identifier, origin: origin?.description, subject: certificate.subject,
      issuer: certificate.issuer, serialNumber: certificate.serialNumber,
      notBefore: Timestamp.text(certificate.notBefore), notAfter: Timestamp.text(certificate.notAfter),
      keyType: certificate.keyType, keyBits: certificate.keyBits, sha256: certificate.sha256.hexadecimal,
      publicKey: certificate.publicKey.pin, pkcs11: identity.token?.text, chainLength: identity.chainLength,
      persistence: persistence.rawValue, limits: record.limits.sentOfHandshake, uses: record.uses,
      lastUsed: use.lastUsed, created: use.created, secondsLeft: use.secondsLeft)
  }
}

/// A certificate of a token in `identity/tokens`.
extension Sent.TokenCertificate {
  package init(uri: String, certificate: Certificate) {
    self.init(
      pkcs11: uri, subject: certificate.subject, issuer: certificate.issuer,
      serialNumber: certificate.serialNumber, notBefore: Timestamp.text(certificate.notBefore),
      notAfter: Timestamp.text(certificate.notAfter), keyType: certificate.keyType,
      keyBits: certificate.keyBits, sha256: certificate.sha256.hexadecimal,
      publicKey: certificate.publicKey.pin)
  }
}
