package import WatchwordSecret
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
