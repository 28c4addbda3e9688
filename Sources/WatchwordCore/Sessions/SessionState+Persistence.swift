package import WatchwordVocabulary

/// Where a credential, identity or decision is kept (challenges.md 9.1): the one check of a persistence.
extension SessionState {
  package enum StoragePlace: Sendable, Equatable {
    /// With the tasks that wait for the reply.
    case waitingTasks
    case session
    /// On the disk, for every session of the account.
    case account
  }

  package enum PersistenceFault: Error, Sendable, Equatable {
    /// `none` outside a reply.
    case nothingToStore
    /// Permanent secrets need a sealed vault, which does not exist.
    case noVault
    /// No storage is shared with other hosts.
    case notDistributed
    /// The session is ephemeral and stores nothing permanently.
    case privateStorage
  }

  /// - Parameters:
  /// - isDecision: whether it is a decision about a chain, which is no secret.
  ///   - isReply: whether it answers a challenge, so that tasks wait for it.
  package func place(
    for persistence: Persistence, isDecision: Bool, isReply: Bool
  ) throws(PersistenceFault) -> StoragePlace {
    switch persistence {
    case .none where isReply: return .waitingTasks
    case .none: throw .nothingToStore
    case .forSession: return .session
    case .permanent where !isDecision: throw .noVault
    case .permanent where !usesSharedStorage: throw .privateStorage
    case .permanent: return .account
    case .synchronizable: throw isDecision ? .notDistributed : .noVault
    }
  }
}
