/// Limits on the input of an identity.
package enum IdentityBounds {
  /// PEM text of certificates: 32 of the largest ones.
  package static let certificateBytes = 262_144
  /// PEM text of a key: an RSA key of 8,192 bits has 6 KiB.
  package static let keyBytes = 65_536
  /// PKCS#12 in base64: certificates and key together.
  package static let pkcs12Bytes = 524_288
  /// OpenSSL's limit for a traditional key.
  package static let passphraseBytes = 1024
  /// `i-` and 32 digits, and room for later forms.
  package static let identifierBytes = 64
}
