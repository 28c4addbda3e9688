/// Why a client identity cannot be used; the raw value is the `reason` of `credentialUnusable`.
package enum IdentityFault: String, Error, Sendable, CaseIterable {
  case certificatesUnreadable
  case keyUnreadable
  case pkcs12Unreadable
  /// The key is encrypted and no passphrase was given: ask for one and repeat the whole call.
  case passphraseNeeded
  case wrongPassphrase
  /// The key belongs to none of the certificates.
  case keyMismatch
  case expired
  case notYetValid
  /// Its extended key usage lacks clientAuth, or its key usage digitalSignature.
  case wrongPurpose
  /// The cipher of the file, or the kind of key, is not supported.
  case unsupported
  /// The key or a signature is below the security level of TLS connections.
  case tooWeak
  /// Too many certificates, key bits, or rounds of key derivation.
  case tooLarge
  case outOfMemory
  /// No token matches the URI, or the token fails.
  case tokenUnavailable
  /// More than one token or key matches.
  case tokenAmbiguous
  /// Its PIN was wrong too often.
  case tokenLocked
  /// The token holds no certificate for the key, and none was given.
  case certificateMissing

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
