/// A message body as `auth-int` sees it.
package enum DigestBody: Sendable {
  case empty
  /// Its hash by the challenge's algorithm.
  case hashed(HashValue)
  /// There is one, or there may be one, and it has not been hashed.
  case unknown
  /// It can be hashed, and has not been read yet.
  case unread
}
