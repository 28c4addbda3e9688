package import WatchwordVocabulary

/// A client identity with what a store keeps of it.
package struct KeptIdentity: Sendable, Equatable {
  package let identity: Identity
  /// PEM, the key's certificate first.
  package let certificates: String
  /// PEM: PKCS#8 without encryption.
  package let privateKey: Secret

  package init(_ identity: Identity, certificates: String, privateKey: Secret) {
    self.identity = identity
    self.certificates = certificates
    self.privateKey = privateKey
  }

  /// Longer than the chains in use; an RSA key of 8,192 bits has 7 KiB.
  package static let maximumBytes = 131_072

  package var isTooLarge: Bool { certificates.utf8.count + privateKey.count > KeptIdentity.maximumBytes }

  /// With OpenSSL's own form of it.
  package var byteCount: Int { certificates.utf8.count + privateKey.count + identity.heldBytes }
}

/// An identity that a caller brings.
package enum NewIdentity: Sendable {
  case material(IdentityMaterial)
  case token(TokenKey)
}

/// The input that an identity is read from. The caller opens the files; the daemon opens none.
package enum IdentityMaterial: Sendable {
  /// PEM certificates, in any order, and one PEM key.
  case pem(certificates: String, privateKey: Secret, passphrase: Secret?)
  /// The bytes of a file (RFC 7292).
  case pkcs12(Secret, passphrase: Secret?)
}

/// The identity of a credential: one that the session stores, or a new one.
package enum IdentitySource: Sendable {
  case stored(identifier: String)
  case new(NewIdentity)
}

/// What was decided about a CertificateRequest.
package enum IdentityChoice: Sendable, Equatable {
  case identity(String)
  case none
  /// Default handling, evaluated at each handshake.
  case `default`
}

/// A private key that stays in a token (PKCS#11), and what is needed to use it there.
package struct TokenKey: Sendable {
  package let uri: TokenURI
  /// PEM, the key's certificate first; nil: the token has them.
  package let certificates: String?
  /// Nil: none is known.
  package let pin: Secret?

  package init(uri: TokenURI, certificates: String?, pin: Secret?) {
    self.uri = uri
    self.certificates = certificates
    self.pin = pin
  }
}
