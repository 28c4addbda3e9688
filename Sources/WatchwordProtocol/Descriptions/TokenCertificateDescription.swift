internal import WatchwordCore
package import WatchwordJSON
package import WatchwordVocabulary

/// A certificate of a token in `identity/tokens`.
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
