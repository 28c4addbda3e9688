internal import WatchwordMessages
internal import WatchwordPrimitives

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
