internal import CTransport
internal import WatchwordCore
internal import WatchwordTransport
internal import WatchwordVocabulary

/// A certificate as a server sends it: what is shown of it is bounded and holds no control character.
enum CertificateTarget {
  @Sendable static func run(_ bytes: UnsafeRawBufferPointer) {
    var position = bytes.assumingMemoryBound(to: UInt8.self).baseAddress
    guard let x509 = d2i_X509(nil, &position, bytes.count) else { return }
    defer { X509_free(x509) }
    guard let certificate = Certificate(x509) else { return }
    let texts = [certificate.subject, certificate.issuer, certificate.serialNumber]
    for text in texts + certificate.subjectAlternativeNames {
      require(text.utf8.count <= CertificateText.maximumBytes + 3, "a text has no bound")
      require(text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }, "a control")
      require(text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .format }, "a format")
    }
    require(
      certificate.subjectAlternativeNames.count <= TRANSPORT_MAXIMUM_ALTERNATIVE_NAMES, "too many names")
  }
}
