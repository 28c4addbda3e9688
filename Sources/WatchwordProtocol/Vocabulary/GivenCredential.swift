package import WatchwordCore
package import WatchwordVocabulary

/// A credential in a reply: an identity must be found or read before it is complete.
package enum GivenCredential: Sendable {
  case complete(Credential)
  case identity(IdentitySource, persistence: Persistence, limits: CredentialLimits)

  /// Nil for an identity.
  package var complete: Credential? {
    switch self {
    case .complete(let credential): credential
    case .identity: nil
    }
  }

  /// Whether it is a decision about a chain, which is no secret.
  package var isDecision: Bool {
    switch self {
    case .complete(let credential):
      switch credential.kind {
      case .trust: true
      case .password, .token, .identity, .kerberos: false
      }
    case .identity: false
    }
  }

  package var persistence: Persistence {
    switch self {
    case .complete(let credential): credential.persistence
    case .identity(_, let persistence, _): persistence
    }
  }
}
