/// Whether the server has shown that it knows the password too (RFC 7616 §3.5).
package enum DigestVerification: Sendable, Equatable {
  /// It did not say; most servers do not.
  case absent
  case verified
  /// What it said is not what the password gives: the response is somebody else's.
  case wrong
}
