/// How a space is opened; the wire names of challenges.md 1.2.
package enum AuthenticationMethod: String, Sendable, Hashable, CaseIterable {
  case basic
  case digest
  case bearer
  case negotiate
  case ntlm
  case htmlForm
  case serverTrust
  case clientCertificate
  /// Not a server asks, but the locked agent, for its passphrase.
  case agentUnlock
  /// Nobody asks: a key in a header field of its own goes with the first request (storage.md 9.4.9).
  case key

  /// Whether its question arises during a TLS handshake, which then stops and starts again.
  package var isOfHandshake: Bool {
    switch self {
    case .serverTrust, .clientCertificate: true
    case .basic, .digest, .bearer, .negotiate, .ntlm, .htmlForm, .agentUnlock, .key: false
    }
  }

  /// Whether it authenticates a connection, in one or more exchanges over it (RFC 4559).
  package var isConnectionBound: Bool {
    switch self {
    case .negotiate, .ntlm: true
    case .basic, .digest, .bearer, .htmlForm, .serverTrust, .clientCertificate, .agentUnlock, .key: false
    }
  }

  /// Whether the challenge goes to the session's delegates first (challenges.md 1.3).
  package var isSessionWide: Bool {
    switch self {
    case .serverTrust, .clientCertificate, .negotiate, .ntlm: true
    case .basic, .digest, .bearer, .htmlForm, .agentUnlock, .key: false
    }
  }
}
