package import WatchwordSecret
package import WatchwordVocabulary

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
