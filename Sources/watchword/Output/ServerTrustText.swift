internal import WatchwordMessages
internal import WatchwordVocabulary

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

/// Formats faults of certificates as sentences for a person: the program's only table of them.
enum TrustReasonText {
  /// A sentence for each of `reasons`, as in `serverTrust` and the error `serverTrustRejected`.
  static func sentences(_ reasons: [Sent.TrustReason]) -> [String] {
    reasons.prefix(shown).map { "\(certificate(at: $0.depth)) \(clause($0.reason))" }
  }

  /// More would push the question off the screen.
  private static let shown = 16

  private static func certificate(at depth: Int) -> String {
    depth == 0 ? "its certificate" : "an issuer's certificate (\(depth) above)"
  }

  /// The predicate of the sentence.
  private static func clause(_ reason: String) -> String {
    switch reason {
    case "expired": "has expired"
    case "notYetValid": "is not valid yet"
    case "hostMismatch": "is for another host"
    case "unknownIssuer": "has an unknown issuer"
    case "selfSigned": "is self-signed"
    case "revoked": "was revoked"
    case "revocationUnknown": "comes without proof that it is not revoked"
    case "weakSignature": "has a signature that is too weak"
    case "weakKey": "has a key that is too weak"
    case "invalidPurpose": "is not meant for this purpose"
    case "pathLength": "is in a longer chain than an issuer allows"
    case "nameConstraint": "has a name that an issuer does not permit"
    case "malformed": "is malformed"
    case "tooComplex": "costs too much to verify"
    case "pinMismatch": "does not match a pin of the session"
    case "policy": "breaks a rule of the session"
    case "other": "failed verification"
    // A daemon newer than this program has more reasons.
    default: "failed verification (\(DisplayText.escaped(reason)))"
    }
  }
}

/// Formats the part of `explain` about client certificates for a person.
struct ExplainedCertificate {
  /// Certificates that are listed.
  private static let shown = 8

  private let decisions: [Sent.IdentityDecision]
  private let candidates: [String]

  init(_ explained: Sent.ExplainedCertificate) {
    decisions = explained.decisions
    candidates = explained.candidates
  }

  /// Whether the names of identities must be looked up.
  var namesIdentities: Bool { !candidates.isEmpty || decisions.contains { $0.identity != nil } }

  /// - Parameter identities: of the session, as `identity/list` describes them.
  func lines(_ identities: [Sent.Identity]) -> [String] {
    func person(_ identifier: String) -> String {
      let identity = identities.first { $0.identity == identifier }
      return "\(identifier)\(identity.map { "  \(IdentityLine.person(of: $0))" } ?? "")"
    }
    var lines = decisions.map { decision in
      let names = decision.distinguishedNames
      let what =
        switch decision.choice {
        case "none": "none"
        case "identity": person(decision.identity ?? "")
        default: "by default handling"
        }
      return
        "certificate \(what), as decided for \(names.isEmpty ? "any authority" : names.joined(separator: "; "))"
    }
    guard !candidates.isEmpty else { return lines.isEmpty ? ["certificate none"] : lines }
    lines.append("certificate the first of these that fits what the server asks for:")
    lines += candidates.prefix(Self.shown).map { "              \(person($0))" }
    if candidates.count > Self.shown {
      lines.append("              and \(candidates.count - Self.shown) more")
    }
    return lines
  }
}
