/// What becomes of a handshake in which the server asks for a client certificate.
package enum IdentityRuling: Sendable {
  case present(ClientIdentity)
  case presentNone
  /// The handshake stops, and somebody is asked.
  case ask
}
