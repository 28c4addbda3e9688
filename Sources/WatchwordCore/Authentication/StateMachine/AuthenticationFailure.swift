/// Why authentication ends a task without a response to deliver.
package enum AuthenticationFailure: Sendable, Equatable {
  case userCancelled
  /// The server did not prove itself: Digest `rspauth` (RFC 7616 §3.5), or the last token of Negotiate (RFC 4559 §5).
  case serverNotAuthenticated
  /// A credential for Negotiate or NTLM could not be used, and no delegate can be asked for another one.
  case negotiation(NegotiationFault)
  /// The administrator's source gives no credential, and no delegate can be asked for one.
  case source(SourceFailure)
  /// A login form that a rule of the session names cannot be posted.
  case loginForm(LoginFormFault)
}
