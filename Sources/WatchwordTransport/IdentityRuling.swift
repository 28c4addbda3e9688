/// How a handshake continues in which the server requests a client certificate.
package enum IdentityRuling: Sendable {
  case present(ClientIdentity)
  case presentNone
  /// The handshake stops, and a delegate is asked.
  case ask
}
