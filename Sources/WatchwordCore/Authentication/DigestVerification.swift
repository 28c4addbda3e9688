/// Whether the server has proved that it knows the password (RFC 7616 §3.5).
package enum DigestVerification: Sendable, Equatable {
  /// The response has no proof; most servers send none.
  case absent
  case verified
  /// The proof does not match the password: the sender of the response does not know it.
  case wrong
}
