internal import WatchwordPrimitives

/// A SHA-256 of a certificate, of a public key, or of a whole chain.
package struct Fingerprint: Sendable, Hashable {
  /// Bytes of a SHA-256.
  package static let byteCount = 32

  private static let pinPrefix = "sha256/"

  package let bytes: [UInt8]

  /// Nil unless there are 32 bytes.
  package init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count == Fingerprint.byteCount else { return nil }
    self.bytes = Array(bytes)
  }

  /// Lower case hexadecimal, as `openssl x509 -fingerprint` prints it without the colons.
  package var hexadecimal: String { bytes.withUnsafeBytes { Hexadecimal.text($0) } }

  /// The form of pins: `sha256/` and base64 (RFC 7469 §2.1.1).
  package var pin: String {
    Fingerprint.pinPrefix + Base64.encode(bytes)
  }

  package init?(pin: String) {
    guard pin.hasPrefix(Fingerprint.pinPrefix),
      let bytes = Base64.decode(String(pin.dropFirst(Fingerprint.pinPrefix.count)))
    else { return nil }
    self.init(bytes)
  }
}
