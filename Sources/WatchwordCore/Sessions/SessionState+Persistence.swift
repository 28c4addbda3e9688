package import WatchwordVocabulary

/// Where a credential, identity or decision is kept (storage.md 9.1): the one check of a persistence.
extension SessionState {
  package enum StoragePlace: Sendable, Equatable {
    /// With the tasks that wait for the reply.
    case waitingTasks
    case session
    /// On the disk, for every session of the account.
    case account
  }

  /// What is to be kept.
  package enum StoredKind: Sendable, Equatable {
    case password
    case token
    /// A decision about a chain, which is no secret.
    case decision
    case identity
    /// One whose key stays in a token.
    case tokenIdentity
    case kerberos
  }

  package enum PersistenceFault: Error, Sendable, Equatable {
    /// `none` outside a reply.
    case nothingToStore
    /// The vault keeps no entries of this kind.
    case memoryOnly(StoredKind)
    /// No synchronization with other hosts is configured.
    case notDistributed
    /// Hosts of a fleet share passwords and tokens only.
    case notShared(StoredKind)
    /// The session is ephemeral and stores nothing permanently.
    case privateStorage
  }

  /// - Parameter isReply: whether it answers a challenge, so that tasks wait for it.
  package func place(
    for persistence: Persistence, of kind: StoredKind, isReply: Bool
  ) throws(PersistenceFault) -> StoragePlace {
    switch persistence {
    case .none where isReply: return .waitingTasks
    case .none: throw .nothingToStore
    case .forSession: return .session
    case .permanent where kind == .tokenIdentity || kind == .kerberos: throw .memoryOnly(kind)
    case .permanent where !usesSharedStorage: throw .privateStorage
    case .permanent: return .account
    case .synchronizable where !surroundings.isSynchronized: throw .notDistributed
    case .synchronizable where kind != .password && kind != .token: throw .notShared(kind)
    case .synchronizable where !usesSharedStorage: throw .privateStorage
    case .synchronizable: return .account
    }
  }
}

extension Credential {
  package var storedKind: SessionState.StoredKind {
    switch kind {
    case .password: .password
    case .token: .token
    case .trust: .decision
    case .identity: .identity
    case .kerberos: .kerberos
    }
  }
}

extension NewIdentity {
  package var storedKind: SessionState.StoredKind {
    switch self {
    case .material: .identity
    case .token: .tokenIdentity
    }
  }
}
