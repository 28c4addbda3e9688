/// What was decided about a wish for a client certificate.
package enum IdentityChoice: Sendable, Equatable {
  case identity(String)
  case none
  /// Default handling, whatever it comes to at the time.
  case `default`
}
