/// The typed reasons of a trust verdict (challenges.md 2.10).
package enum TrustReason: String, Sendable, CaseIterable {
  case expired
  case notYetValid
  case hostMismatch
  case unknownIssuer
  case selfSigned
  case revoked
  /// There is no current proof that it is not revoked, and a setting requires one.
  case revocationUnknown
  case weakSignature
  case weakKey
  case invalidPurpose
  case pathLength
  case nameConstraint
  /// It breaks a rule of RFC 5280 for every certificate.
  case malformed
  /// It would cost too much to verify, and was not.
  case tooComplex
  case pinMismatch
  case policy
  /// Any other fault that the verifier reports.
  case other

  /// Whether a reply may accept a chain that has this fault (challenges.md 10.12).
  package var isExcusable: Bool {
    switch self {
    case .tooComplex: false
    case .expired, .notYetValid, .hostMismatch, .unknownIssuer, .selfSigned, .revoked, .revocationUnknown,
      .weakSignature, .weakKey, .invalidPurpose, .pathLength, .nameConstraint, .malformed, .pinMismatch,
      .policy, .other:
      true
    }
  }
}
