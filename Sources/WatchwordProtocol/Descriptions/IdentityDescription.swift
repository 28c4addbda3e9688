package import WatchwordCore
package import WatchwordJSON

/// A client identity of a session as `identity/list` shows it: never its key.
package struct IdentityDescription {
  package let entry: IdentityLedger.Entry
  package let use: UseDescription

  package init(_ entry: IdentityLedger.Entry, now: Double, wallClock: Double) {
    self.entry = entry
    use = UseDescription(entry.record, now: now, wallClock: wallClock)
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
    use.writeMembers(to: &writer)
    writer.endObject()
  }
}
