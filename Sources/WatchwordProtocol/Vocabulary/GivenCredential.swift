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

  package var storedKind: SessionState.StoredKind {
    switch self {
    case .complete(let credential): credential.storedKind
    case .identity: .identity
    case .kerberosFile: .kerberos
    }
  }

  package var persistence: Persistence {
    switch self {
    case .complete(let credential): credential.persistence
    case .identity(_, let persistence, _), .kerberosFile(_, let persistence, _): persistence
    }
  }
}
