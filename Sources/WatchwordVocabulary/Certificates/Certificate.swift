/// One certificate of a chain, in a form that a person or a program can judge (challenges.md 2.9).
///
/// The server chose the names: RFC 4514 text with control characters escaped, cut to a bounded length.
package struct Certificate: Sendable, Equatable {
  package let subject: String
  package let issuer: String
  /// Hexadecimal, lower case, without separators.
  package let serialNumber: String
  /// Seconds since 1970.
  package let notBefore: Double
  package let notAfter: Double
  /// `DNS:name`, `IP:address`, `URI:…`, `email:…`; other kinds are left out.
  package let subjectAlternativeNames: [String]
  /// `rsa`, `ec`, `ed25519`, `ed448`, `dsa`, or `other`.
  package let keyType: String
  package let keyBits: Int
  package let sha256: Fingerprint
  /// Of the SubjectPublicKeyInfo (RFC 7469 §2.4).
  package let publicKey: Fingerprint
  package let der: [UInt8]

  package init(
    subject: String, issuer: String, serialNumber: String, notBefore: Double, notAfter: Double,
    subjectAlternativeNames: [String], keyType: String, keyBits: Int, sha256: Fingerprint,
    publicKey: Fingerprint, der: [UInt8]
  ) {
    self.subject = subject
    self.issuer = issuer
    self.serialNumber = serialNumber
    self.notBefore = notBefore
    self.notAfter = notAfter
    self.subjectAlternativeNames = subjectAlternativeNames
    self.keyType = keyType
    self.keyBits = keyBits
    self.sha256 = sha256
    self.publicKey = publicKey
    self.der = der
  }

  /// Equal DER means the same certificate.
  package static func == (left: Certificate, right: Certificate) -> Bool { left.sha256 == right.sha256 }
}
