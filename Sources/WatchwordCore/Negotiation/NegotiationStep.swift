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

package enum NegotiationOutcome: Sendable, Equatable {
  /// Send this token. `isComplete`: the server's answer need not hold another one.
  case token(Secret, isComplete: Bool)
  /// The server has proved itself.
  case established(InnerMechanism)
  /// The server has refused the last token, and why.
  case refused(NegotiationFault)
  case failed(NegotiationFault)
}

extension NegotiationFault: Error {
  /// Whether the credential itself is wrong: it is not tried again.
  var isRefusal: Bool { self == .credentialRefused }
  /// Whether the server is at fault, for which no other credential helps.
  var isOfServer: Bool { self == .tokenRefused || self == .mechanismRefused }
}
