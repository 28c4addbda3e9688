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

/// A server's wish for a client certificate (RFC 8446 §4.3.2, RFC 5246 §7.4.4).
package struct CertificateRequest: Sendable, Equatable {
  /// The authorities that it takes certificates of; empty: any.
  package let issuers: [DistinguishedName]
  /// The keys whose signatures it takes.
  package let keyTypes: Set<IdentityKeyType>

  package init(issuers: [DistinguishedName], keyTypes: Set<IdentityKeyType>) {
    self.issuers = issuers
    self.keyTypes = keyTypes
  }

  /// The same authorities in the same order are the same question (challenges §8).
  package static func == (left: CertificateRequest, right: CertificateRequest) -> Bool {
    left.issuers == right.issuers
  }
}
