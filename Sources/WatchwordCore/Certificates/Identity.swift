/// A client identity as far as anything but TLS needs to know it: whose it is, and what it fits. Never its key.
package struct Identity: Sendable, Equatable {
  /// What `identity/*` and credentials call it: made from the certificate, so that the same one has the same name in
  /// every session.
  package let identifier: String
  package let certificate: Certificate
  /// Certificates in all, its own included.
  package let chainLength: Int
  /// Who issued it and each certificate of its chain: any of them a server may ask for (RFC 8446 §4.2.4).
  package let issuers: Set<Fingerprint>
  package let keyType: IdentityKeyType
  /// Where its key is; nil: in memory.
  package let token: TokenURI?

  package init(
    certificate: Certificate, chainLength: Int, issuers: Set<Fingerprint>, keyType: IdentityKeyType,
    token: TokenURI? = nil
  ) {
    // 128 bits: nobody makes another certificate with the same ones.
    identifier = "i-" + String(certificate.sha256.hexadecimal.prefix(32))
    self.certificate = certificate
    self.chainLength = chainLength
    self.issuers = issuers
    self.keyType = keyType
    self.token = token
  }

  /// What is wrong with it at this time, in seconds since 1970; nil when it can be presented.
  package func fault(at wallClock: Double) -> IdentityFault? {
    if wallClock > certificate.notAfter { return .expired }
    return wallClock < certificate.notBefore ? .notYetValid : nil
  }

  /// Whether the server can be expected to take it (challenges.md 11.2): valid now, its kind of key, and a certificate of one
  /// of the issuers that it has named.
  ///
  /// - Parameter wallClock: seconds since 1970.
  package func fits(_ request: CertificateRequest, wallClock: Double) -> Bool {
    guard fault(at: wallClock) == nil, request.keyTypes.contains(keyType) else { return false }
    return request.issuers.isEmpty || request.issuers.contains { issuers.contains($0.digest) }
  }
}
