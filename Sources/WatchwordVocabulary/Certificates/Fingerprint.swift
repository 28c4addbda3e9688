internal import WatchwordPrimitives

/// A SHA-256 of a certificate, of a public key, or of a whole chain.
package struct Fingerprint: Sendable, Hashable {
  /// Bytes of a SHA-256.
  package static let byteCount = 32

  package let bytes: [UInt8]

  /// Nil unless there are 32 bytes.
  package init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count == Fingerprint.byteCount else { return nil }
    self.bytes = Array(bytes)
  }

  /// Lower case hexadecimal, as `openssl x509 -fingerprint` prints it without the colons.
  package var hexadecimal: String { bytes.withUnsafeBytes { Hexadecimal.text($0) } }
}
