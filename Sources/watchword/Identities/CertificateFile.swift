internal import WatchwordPrimitives
internal import WatchwordSecret

/// A file of certificates, in PEM or one in DER.
enum CertificateFile {
  private static let labels = ["CERTIFICATE", "X509 CERTIFICATE"]

  /// Its certificates in PEM. What else is in the file, such as a key, is left out.
  static func pem(of path: String) throws(Failure) -> String {
    let bytes = try InputFile.contents(of: path)
    let text = PEMBlocks.text(in: Secret(bytes)) { label in labels.contains { label.elementsEqual($0.utf8) } }
    guard let text else { throw Failure("\(DisplayText.escaped(path)): a PEM block is not ASCII") }
    if !text.isEmpty { return text }
    // The tag of a SEQUENCE, with which a certificate in DER begins.
    guard bytes.first == 0x30 else {
      throw Failure("\(DisplayText.escaped(path)) has no certificate, in PEM or in DER")
    }
    return "-----BEGIN CERTIFICATE-----\n\(lines(Base64.encode(bytes)))-----END CERTIFICATE-----\n"
  }

  /// RFC 7468 §2: lines of 64 characters.
  private static func lines(_ text: String) -> String {
    let characters = Array(text.utf8)
    return stride(from: 0, to: characters.count, by: 64).map { start in
      String(decoding: characters[start..<min(start + 64, characters.count)], as: UTF8.self) + "\n"
    }.joined()
  }
}
