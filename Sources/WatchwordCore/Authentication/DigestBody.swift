/// A message body for `auth-int`.
package enum DigestBody: Sendable {
  case empty
  /// Its hash by the challenge's algorithm.
  case hashed(HashValue)
  /// The body exists, or may exist, and has not been hashed.
  case unknown
  /// It can be hashed, and has not been read yet.
  case unread
}
