internal import CTokenWire
internal import CTransport
internal import WatchwordCore
package import WatchwordVocabulary

/// A certificate that a token shows without login, and the URI of its key.
package struct TokenCertificate: Sendable {
  package let uri: String
  package let certificate: Certificate
}

extension TokenCertificate {
  /// Nil when it is not a certificate that can be described.
  init?(_ payload: Slice<UnsafeRawBufferPointer>) {
    guard let end = payload.firstIndex(of: 0) else { return nil }
    let der = UnsafeRawBufferPointer(rebasing: payload[(end + 1)...])
    var next = der.baseAddress?.assumingMemoryBound(to: UInt8.self)
    guard let read = d2i_X509(nil, &next, der.count) else { return nil }
    defer { X509_free(read) }
    guard let certificate = Certificate(read) else { return nil }
    self.init(uri: String(decoding: payload[..<end], as: UTF8.self), certificate: certificate)
  }
}
