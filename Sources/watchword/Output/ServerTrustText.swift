internal import WatchwordMessages
internal import WatchwordPrimitives

/// Formats a server's certificates for a person: server text escaped and cut, fingerprints to compare.
enum ServerTrustText {
  /// The most names of one certificate that are listed.
  private static let shownNames = 12

  /// The faults that default evaluation found, a line each.
  static func reasons(_ trust: Sent.ServerTrust) -> String {
    TrustReasonText.sentences(trust.reasons).map { "  \($0)\n" }.joined()
  }

  /// One certificate, as lines that each begin with a name.
  static func certificate(_ certificate: Sent.Certificate) -> String {
    let names = certificate.subjectAlternativeNames
    var shown = names.prefix(shownNames).map { DisplayText.escaped($0) }.joined(separator: ", ")
    if names.count > shownNames { shown += " and \(names.count - shownNames) more" }
    let key = "\(text(certificate.keyType)), \(certificate.keyBits) bits"
    let rows = [
      ("subject", text(certificate.subject)), ("issuer", text(certificate.issuer)),
      ("serial", text(certificate.serialNumber)),
      ("valid", "\(text(certificate.notBefore)) to \(text(certificate.notAfter))"),
      ("names", shown.isEmpty ? "none" : shown),
      ("SHA-256", fingerprint(certificate.sha256)),
      ("key", "\(key), \(text(certificate.publicKey))"),
    ]
    return rows.map { "  \($0.0)\(String(repeating: " ", count: 9 - $0.0.count))\($0.1)\n" }.joined()
  }

  /// A certificate within other output: its subject and its key.
  static func brief(_ certificate: Sent.Certificate) -> String {
    "  \(text(certificate.subject)), key \(text(certificate.publicKey))\n"
  }

  /// `AB:CD:…`, as browsers and openssl show it.
  static func fingerprint(_ hexadecimal: String) -> String {
    let digits = Array(DisplayText.escaped(hexadecimal.uppercased()))
    return stride(from: 0, to: digits.count, by: 2).map { start in
      String(digits[start..<min(start + 2, digits.count)])
    }.joined(separator: ":")
  }

  private static func text(_ word: String) -> String { DisplayText.escaped(word) }
}
