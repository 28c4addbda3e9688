internal import WatchwordClient
internal import WatchwordJSON

/// Formats a server's certificates for a person: server text escaped and cut, fingerprints to compare.
enum ServerTrustText {
  /// The most names of one certificate that are listed.
  private static let shownNames = 12

  /// The faults that default evaluation found, a line each.
  static func reasons(_ trust: JSONValue) -> String {
    TrustReasonText.sentences(trust["reasons"]).map { "  \($0)\n" }.joined()
  }

  /// One certificate, as lines that each begin with a name.
  static func certificate(_ certificate: JSONValue) -> String {
    let names = (certificate["subjectAlternativeNames"]?.elements ?? []).compactMap(\.text)
    var shown = names.prefix(shownNames).map { DisplayText.escaped($0) }.joined(separator: ", ")
    if names.count > shownNames { shown += " and \(names.count - shownNames) more" }
    let key = "\(text("keyType", of: certificate)), \(certificate["keyBits"]?.integer ?? 0) bits"
    let rows = [
      ("subject", text("subject", of: certificate)), ("issuer", text("issuer", of: certificate)),
      ("serial", text("serialNumber", of: certificate)),
      ("valid", "\(text("notBefore", of: certificate)) to \(text("notAfter", of: certificate))"),
      ("names", shown.isEmpty ? "none" : shown),
      ("SHA-256", fingerprint(certificate["sha256"]?.text ?? "")),
      ("key", "\(key), \(text("publicKey", of: certificate))"),
    ]
    return rows.map { "  \($0.0)\(String(repeating: " ", count: 9 - $0.0.count))\($0.1)\n" }.joined()
  }

  /// A certificate within other output: its subject and its key.
  static func brief(_ certificate: JSONValue) -> String {
    "  \(text("subject", of: certificate)), key \(text("publicKey", of: certificate))\n"
  }

  /// `AB:CD:…`, as browsers and openssl show it.
  static func fingerprint(_ hexadecimal: String) -> String {
    let digits = Array(DisplayText.escaped(hexadecimal.uppercased()))
    return stride(from: 0, to: digits.count, by: 2).map { start in
      String(digits[start..<min(start + 2, digits.count)])
    }.joined(separator: ":")
  }

  private static func text(_ member: String, of certificate: JSONValue) -> String {
    DisplayText.escaped(certificate[member]?.text ?? "")
  }
}
