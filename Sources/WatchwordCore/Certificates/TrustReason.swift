/// The typed reasons of a trust verdict (challenges.md 2.10).
package enum TrustReason: String, Sendable, CaseIterable {
  case expired
  case notYetValid
  case hostMismatch
  case unknownIssuer
  case selfSigned
  case revoked
  /// Nothing current says that it is not revoked, and something insists on that.
  case revocationUnknown
  case weakSignature
  case weakKey
  case invalidPurpose
  case pathLength
  case nameConstraint
  /// It breaks a rule that RFC 5280 has for every certificate.
  case malformed
  case pinMismatch
  case policy
  /// Any other fault that the verifier names.
  case other
}
