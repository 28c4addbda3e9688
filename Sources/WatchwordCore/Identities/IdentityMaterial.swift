package import WatchwordSecret

/// The input that an identity is read from. The caller opens the files; the daemon opens none.
package enum IdentityMaterial: Sendable {
  /// PEM certificates, in any order, and one PEM key.
  case pem(certificates: String, privateKey: Secret, passphrase: Secret?)
  /// The bytes of a file (RFC 7292).
  case pkcs12(Secret, passphrase: Secret?)
}
