/// The name of a certificate or authority, for display and comparison.
package struct DistinguishedName: Sendable, Equatable {
  /// RFC 4514.
  package let text: String
  /// The same for names that RFC 5280 §7.1 considers equal, regardless of their encoding.
  package let digest: Fingerprint

  package init(text: String, digest: Fingerprint) {
    self.text = text
    self.digest = digest
  }

  package static func == (left: DistinguishedName, right: DistinguishedName) -> Bool {
    left.digest == right.digest
  }
}
