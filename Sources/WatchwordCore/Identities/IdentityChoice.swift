/// What was decided about a CertificateRequest.
package enum IdentityChoice: Sendable, Equatable {
  case identity(String)
  case none
  /// Default handling, evaluated at each handshake.
  case `default`
}
