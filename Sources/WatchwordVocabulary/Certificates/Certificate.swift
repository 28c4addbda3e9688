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

/// Text of a certificate, made safe to show to a person.
///
/// The server chose the text. OpenSSL has escaped ASCII control characters; this also escapes those of
/// Unicode, including marks that change the direction of a line, and cuts text that is too long. An escaped
/// character is its UTF-8 in hexadecimal pairs (RFC 4514 §2.4).
package enum CertificateText {
  /// Longer than any name that a person reads; a host name has at most 253 bytes.
  package static let maximumBytes = 1024

  private static let ending = "…"

  package static func shown(_ bytes: some Collection<UInt8>) -> String {
    var shown = String.UnicodeScalarView()
    var count = 0
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      let text = escaped(scalar)
      count += text.utf8.count
      guard count <= maximumBytes else { return String(shown) + ending }
      shown.append(contentsOf: text.unicodeScalars)
    }
    return String(shown)
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse, .surrogate:
      String(
        decoding: String(scalar).utf8.flatMap { [UInt8(ascii: "\\")] + Hexadecimal.upperPair($0) },
        as: UTF8.self)
    default: String(scalar)
    }
  }
}

/// A TLS CertificateRequest (RFC 8446 §4.3.2, RFC 5246 §7.4.4).
package struct CertificateRequest: Sendable, Equatable {
  /// The authorities whose certificates the server accepts; empty: any.
  package let issuers: [DistinguishedName]
  /// The keys whose signatures it accepts.
  package let keyTypes: Set<IdentityKeyType>

  package init(issuers: [DistinguishedName], keyTypes: Set<IdentityKeyType>) {
    self.issuers = issuers
    self.keyTypes = keyTypes
  }

  /// The same authorities in the same order are the same question (challenges.md 12.2).
  package static func == (left: CertificateRequest, right: CertificateRequest) -> Bool {
    left.issuers == right.issuers
  }
}

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

/// A SHA-256 of a certificate, of a public key, or of a whole chain.
package struct Fingerprint: Sendable, Hashable {
  /// Bytes of a SHA-256.
  package static let byteCount = 32

  private static let pinPrefix = "sha256/"

  package let bytes: [UInt8]

  /// Nil unless there are 32 bytes.
  package init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count == Fingerprint.byteCount else { return nil }
    self.bytes = Array(bytes)
  }

  /// Lower case hexadecimal, as `openssl x509 -fingerprint` prints it without the colons.
  package var hexadecimal: String { bytes.withUnsafeBytes { Hexadecimal.text($0) } }

  /// The form of pins: `sha256/` and base64 (RFC 7469 §2.1.1).
  package var pin: String {
    Fingerprint.pinPrefix + Base64.encode(bytes)
  }

  package init?(pin: String) {
    guard pin.hasPrefix(Fingerprint.pinPrefix),
      let bytes = Base64.decode(String(pin.dropFirst(Fingerprint.pinPrefix.count)))
    else { return nil }
    self.init(bytes)
  }
}
