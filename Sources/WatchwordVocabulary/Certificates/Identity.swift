/// The public part of a client identity: its certificate and what it matches. Never its key.
package struct Identity: Sendable, Equatable {
  /// Its name in `identity/*` and credentials: derived from the certificate, so that the same one has the
  /// same name in every session.
  package let identifier: String
  package let certificate: Certificate
  /// Number of certificates, its own included.
  package let chainLength: Int
  /// The issuers of all certificates in its chain: a server may name any of them (RFC 8446 §4.2.4).
  package let issuers: Set<Fingerprint>
  package let keyType: IdentityKeyType
  /// The token that holds its key; nil: in memory.
  package let token: TokenURI?
  /// What it takes in memory with its key and certificates.
  package let heldBytes: Int

  package init(
    certificate: Certificate, chainLength: Int, issuers: Set<Fingerprint>, keyType: IdentityKeyType,
    token: TokenURI? = nil, heldBytes: Int = HeldBytes.identity
  ) {
    // 128 bits: no attacker can make another certificate with the same ones.
    identifier = "i-" + String(certificate.sha256.hexadecimal.prefix(32))
    self.certificate = certificate
    self.chainLength = chainLength
    self.issuers = issuers
    self.keyType = keyType
    self.token = token
    self.heldBytes = heldBytes
  }

  /// Why it cannot be presented at this time, in seconds since 1970; nil when it can.
  package func fault(at wallClock: Double) -> IdentityFault? {
    if wallClock > certificate.notAfter { return .expired }
    return wallClock < certificate.notBefore ? .notYetValid : nil
  }

  /// Whether the server is expected to accept it (challenges.md 11.2): valid now, an accepted key type, and a
  /// certificate of one of the issuers that the server named.
  ///
  /// - Parameter wallClock: seconds since 1970.
  package func fits(_ request: CertificateRequest, wallClock: Double) -> Bool {
    guard fault(at: wallClock) == nil, request.keyTypes.contains(keyType) else { return false }
    return request.issuers.isEmpty || request.issuers.contains { issuers.contains($0.digest) }
  }
}

extension IdentityFault: Error {
  /// For a person.
  package var text: String {
    switch self {
    case .certificatesUnreadable: "its certificates are no PEM text"
    case .keyUnreadable: "there is no private key that can be read"
    case .pkcs12Unreadable: "it is no PKCS#12 file"
    case .passphraseNeeded: "its key needs a passphrase"
    case .wrongPassphrase: "the passphrase is wrong"
    case .keyMismatch: "the key belongs to none of the certificates"
    case .expired: "its certificate has expired"
    case .notYetValid: "its certificate is not valid yet"
    case .wrongPurpose: "its certificate is not for TLS clients"
    case .unsupported: "the file's cipher or the kind of key is not supported"
    case .tooWeak: "its key or a signature is too weak"
    case .tooLarge: "it has too many certificates, a key of too many bits, or asks for too much work"
    case .outOfMemory: "memory is short"
    case .tokenUnavailable: "there is no such token, or it does not answer"
    case .tokenAmbiguous: "more than one token or key fits the URI"
    case .tokenLocked: "the PIN of the token is locked"
    case .certificateMissing: "the token has no certificate for the key"
    }
  }
}
