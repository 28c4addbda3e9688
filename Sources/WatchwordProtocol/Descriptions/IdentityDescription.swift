package import WatchwordCore
package import WatchwordJSON

/// A client identity of a session as `identity/list` shows it: never its key.
package struct IdentityDescription {
  package let entry: IdentityLedger.Entry
  /// Seconds since 1970.
  package let created: Double
  package let lastUsed: Double?

  package init(_ entry: IdentityLedger.Entry, now: Double, wallClock: Double) {
    self.entry = entry
    created = wallClock - (now - entry.created)
    lastUsed = entry.lastUsed.map { wallClock - (now - $0) }
  }

  package func write(to writer: inout JSONWriter) {
    let certificate = entry.identity.certificate
    writer.beginObject()
    writer.member("identity", entry.identity.identifier)
    writer.member("origin", entry.origin?.description)
    writer.member("subject", certificate.subject)
    writer.member("issuer", certificate.issuer)
    writer.member("serialNumber", certificate.serialNumber)
    writer.member("notBefore", Timestamp.text(certificate.notBefore))
    writer.member("notAfter", Timestamp.text(certificate.notAfter))
    writer.member("keyType", certificate.keyType)
    writer.member("keyBits", certificate.keyBits)
    writer.member("sha256", certificate.sha256.hexadecimal)
    writer.member("publicKey", certificate.publicKey.pin)
    writer.member("chainLength", entry.identity.chainLength)
    writer.member("persistence", Persistence.forSession.rawValue)
    writer.member("uses", entry.uses)
    writer.member("lastUsed", lastUsed.map(Timestamp.text))
    writer.member("created", Timestamp.text(created))
    writer.endObject()
  }
}
