/// Why a credential for Negotiate or NTLM could not be used; the raw value is the `kind` of a challenge's `error`.
package enum NegotiationFault: String, Error, Sendable, CaseIterable {
  /// There is no credential cache, or no ticket in it.
  case ticketMissing
  case ticketExpired
  /// The realm does not know the user, refuses the password, or has locked the account.
  case credentialRefused
  /// The cache or keytab is malformed, or has no key of the principal.
  case credentialMalformed
  /// The realm has no key for the server.
  case serverUnknown
  case kdcUnreachable
  case clockSkew
  /// The realm's servers did not answer in time.
  case timedOut
  /// The server's token is malformed, too long, or from another server.
  case tokenRefused
  /// The server chose a mechanism that the session does not allow.
  case mechanismRefused
  /// The library for the method is not installed.
  case unavailable
  case failed

  /// Whether the credential itself is wrong: it is not tried again.
  var isRefusal: Bool { self == .credentialRefused }
  /// Whether the server is at fault, for which no other credential helps.
  var isOfServer: Bool { self == .tokenRefused || self == .mechanismRefused }
}
