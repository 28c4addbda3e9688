package import WatchwordVocabulary

/// One call of GSSAPI: takes the server's token and makes the next one.
package struct NegotiationStep: Sendable, Equatable {
  /// Whose tickets and keys are used; several contexts share them.
  package let account: UInt64
  /// One negotiation with the server, from the first token to the last.
  package let context: UInt64
  package let method: AuthenticationMethod
  package let host: String
  package let credential: Credential.Kind
  /// The server's token in base64; nil at the beginning.
  package let input: String?
  /// As in ``ResponseHead/serverEndPoint``.
  package let serverEndPoint: [UInt8]
  package let policy: MethodPolicy.Negotiate
  /// Whether a ticket for the host that the cache has is replaced: the host has refused it.
  package let renewsTicket: Bool
}

/// The mechanism that authenticates inside Negotiate.
package enum InnerMechanism: String, Sendable {
  case kerberos
  case ntlm
}

package enum NegotiationOutcome: Sendable, Equatable {
  /// Send this token. `isComplete`: the server's answer need not hold another one.
  case token(Secret, isComplete: Bool)
  /// The server has proved itself.
  case established(InnerMechanism)
  /// The server has refused the last token, and why.
  case refused(NegotiationFault)
  case failed(NegotiationFault)
}

/// Why a credential for Negotiate or NTLM could not be used; the raw value is the `kind` of a challenge's
/// `error`.
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
