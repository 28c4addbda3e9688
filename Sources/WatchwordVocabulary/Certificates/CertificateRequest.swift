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
