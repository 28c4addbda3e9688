/// Why authentication ends a task without a response to deliver.
package enum AuthenticationFailure: Sendable, Equatable {
  case userCancelled
  /// Digest `rspauth` was wrong: the server does not know the password (RFC 7616 §3.5).
  case serverNotAuthenticated
}
