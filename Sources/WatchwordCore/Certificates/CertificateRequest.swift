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

  /// The same authorities in the same order are the same question (challenges.md 12.2).
  package static func == (left: CertificateRequest, right: CertificateRequest) -> Bool {
    left.issuers == right.issuers
  }
}
