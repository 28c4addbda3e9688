package import WatchwordCore
package import WatchwordVocabulary

/// A credential as a caller gives it: an identity or a file must be found or read before it is complete.
package enum GivenCredential: Sendable {
  case complete(Credential)
  case identity(IdentitySource, persistence: Persistence, limits: CredentialLimits)
  case kerberosFile(KerberosFile, persistence: Persistence, limits: CredentialLimits)

  /// Nil for an identity and a file.
  package var complete: Credential? {
    switch self {
    case .complete(let credential): credential
    case .identity, .kerberosFile: nil
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
    case .identity, .kerberosFile: false
    }
  }

  package var persistence: Persistence {
    switch self {
    case .complete(let credential): credential.persistence
    case .identity(_, let persistence, _), .kerberosFile(_, let persistence, _): persistence
    }
  }
}
