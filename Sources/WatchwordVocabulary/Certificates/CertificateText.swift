internal import WatchwordPrimitives

/// Text of a certificate, made safe to show to a person.
///
/// The server chose the text. OpenSSL has escaped ASCII control characters; this also escapes those of Unicode,
/// including marks that change the direction of a line, and cuts text that is too long. An escaped character is its
/// UTF-8 in hexadecimal pairs (RFC 4514 §2.4).
package enum CertificateText {
  /// Longer than any name that a person reads; a host name has at most 253 bytes.
  package static let maximumBytes = 1024

  private static let ending = "…"

  package static func shown(_ bytes: some Collection<UInt8>) -> String {
    var shown = String.UnicodeScalarView()
    var count = 0
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      let text = escaped(scalar)
      count += text.utf8.count
      guard count <= maximumBytes else { return String(shown) + ending }
      shown.append(contentsOf: text.unicodeScalars)
    }
    return String(shown)
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse, .surrogate:
      String(
        decoding: String(scalar).utf8.flatMap { [UInt8(ascii: "\\")] + Hexadecimal.upperPair($0) },
        as: UTF8.self)
    default: String(scalar)
    }
  }
}
