/// A name in a certificate or of an authority, for people and for comparing.
package struct DistinguishedName: Sendable, Equatable {
  /// RFC 4514.
  package let text: String
  /// The same for names that RFC 5280 §7.1 holds equal, however they are encoded.
  package let digest: Fingerprint

  package init(text: String, digest: Fingerprint) {
    self.text = text
    self.digest = digest
  }

  package static func == (left: DistinguishedName, right: DistinguishedName) -> Bool {
    left.digest == right.digest
  }
}
