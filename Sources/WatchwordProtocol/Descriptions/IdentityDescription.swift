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
    writer.beginObject()
    writer.member("identity", entry.identity.identifier)
    writer.member("origin", entry.origin?.description)
    entry.identity.certificate.writeMembers(to: &writer)
    writer.member("pkcs11", entry.identity.token?.text)
    writer.member("chainLength", entry.identity.chainLength)
    writer.member("persistence", Persistence.forSession.rawValue)
    use.writeMembers(to: &writer)
    writer.endObject()
  }
}

/// A certificate that a token shows, as `identity/tokens` shows it.
package struct TokenCertificateDescription {
  package let uri: String
  package let certificate: Certificate

  package init(uri: String, certificate: Certificate) {
    self.uri = uri
    self.certificate = certificate
  }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("pkcs11", uri)
    certificate.writeMembers(to: &writer)
    writer.endObject()
  }
}

extension Certificate {
  fileprivate func writeMembers(to writer: inout JSONWriter) {
    writer.member("subject", subject)
    writer.member("issuer", issuer)
    writer.member("serialNumber", serialNumber)
    writer.member("notBefore", Timestamp.text(notBefore))
    writer.member("notAfter", Timestamp.text(notAfter))
    writer.member("keyType", keyType)
    writer.member("keyBits", keyBits)
    writer.member("sha256", sha256.hexadecimal)
    writer.member("publicKey", publicKey.pin)
  }
}
