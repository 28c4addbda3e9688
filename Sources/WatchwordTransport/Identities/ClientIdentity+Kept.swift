internal import CTransport
package import WatchwordCore
internal import WatchwordSecret
internal import WatchwordVocabulary

/// Identities that a store keeps.
extension ClientIdentity {
  /// What a store keeps of it: the key without a passphrase. Nil for a key in a token, and when memory is short.
  package func kept() -> KeptIdentity? {
    guard let certificates = transport_identity_certificates_text(handle) else { return nil }
    defer { BIO_free(certificates) }
    guard let key = transport_identity_key_text(handle) else { return nil }
    defer { BIO_free(key) }
    let privateKey = Secret(copying: ClientIdentity.bytes(of: key))
    return KeptIdentity(
      identity, certificates: String(decoding: ClientIdentity.bytes(of: certificates), as: UTF8.self),
      privateKey: privateKey)
  }

  private static func bytes(of text: OpaquePointer) -> UnsafeRawBufferPointer {
    let bytes = transport_text_bytes(text)
    return UnsafeRawBufferPointer(start: bytes.bytes, count: bytes.count)
  }
}
