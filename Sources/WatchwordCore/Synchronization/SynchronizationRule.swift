/// What becomes of one credential when this host and the fleet's store have different states of it
/// (storage.md 9.12).
///
/// The same on every host, so that all end with the same state: the higher version counts; of two that were
/// given without knowing of each other, the one given later; giving one counts more than a removal that did
/// not know of it; and a removal counts more than a change of the attributes of what it removes.
package enum SynchronizationRule {
  /// The state of this host.
  package enum Local: Sendable, Equatable {
    case none
    /// - Parameter given: on the same clock as in ``Remote``.
    case present(SynchronizationMark, given: Giving)
    case removed(version: Int64)
  }

  /// The state of the fleet's store.
  package enum Remote: Sendable, Equatable {
    case absent
    /// - Parameter isSame: whether it is the credential that this host has or has removed, whatever its
    ///   attributes.
    case present(version: Int64, given: Giving, isSame: Bool)
    case removed(version: Int64)
    /// Its time is over, by its own limits.
    case over(version: Int64)
  }

  package enum Agreement: Sendable, Equatable {
    /// Both have the same state; this is its version. A removal of this host need not be told any more.
    case agree(version: Int64)
    /// The store's state takes the place of this host's.
    case take
    /// This host's state is to be written into the store.
    case push(SynchronizationMark)
    /// There is nothing on either side.
    case nothing
  }

  package static func outcome(_ local: Local, _ remote: Remote) -> Agreement {
    switch local {
    case .none:
      if case .present = remote { return .take }
      return .nothing
    case .removed(let version):
      switch remote {
      // What was written of it since it was given, perhaps by this host, does not bring it back.
      case .present(let other, _, isSame: true):
        return .push(SynchronizationMark(version: max(other, version), pending: .removal))
      case .present(let other, _, isSame: false) where other > version: return .take
      case .removed(let other), .over(let other): return .agree(version: max(other, version))
      case .absent, .present: return .push(SynchronizationMark(version: version, pending: .removal))
      }
    case .present(let mark, let given):
      switch mark.pending {
      case .nothing, .copy, .attributes, .removal: return settled(mark, given, remote)
      case .credential: return changed(mark, given, remote)
      }
    }
  }

  /// The secret of this host is the one of this version.
  private static func settled(_ mark: SynchronizationMark, _ given: Giving, _ remote: Remote) -> Agreement {
    let isChanged = mark.pending == .attributes
    let again = SynchronizationMark(version: mark.version, pending: isChanged ? .attributes : .copy)
    switch remote {
    case .absent: return .push(again)
    case .removed(let version), .over(let version): return version > mark.version ? .take : .push(again)
    case .present(let version, _, _) where version > mark.version: return .take
    // The store went back, and a host that had not seen this version has given another one since.
    case .present(let version, let other, isSame: false) where version < mark.version && other > given:
      return .take
    case .present(let version, _, _) where version < mark.version || isChanged: return .push(again)
    case .present(let version, _, isSame: true): return .agree(version: version)
    // The store has been at this version twice, since it went back between.
    case .present(_, let other, _):
      return other >= given
        ? .take : .push(SynchronizationMark(version: mark.version, pending: .credential))
    }
  }

  /// It was given on this host, and the fleet does not know it.
  private static func changed(_ mark: SynchronizationMark, _ given: Giving, _ remote: Remote) -> Agreement {
    switch remote {
    case .absent: return .push(mark)
    case .removed(let version), .over(let version):
      return .push(SynchronizationMark(version: max(version, mark.version), pending: .credential))
    case .present(let version, let other, let isSame)
    where version > mark.version && isSame || version != mark.version && other >= given:
      return .take
    case .present(let version, _, _):
      return .push(SynchronizationMark(version: max(version, mark.version), pending: .credential))
    }
  }
}

/// What a host remembers of a synchronizable credential, beside it, to reconcile it with the fleet's copy
/// (storage.md 9.12).
package struct SynchronizationMark: Sendable, Equatable {
  /// What the fleet has to be told yet.
  package enum Pending: String, Sendable, CaseIterable {
    case nothing
    /// The fleet's store has lost it: it is written again as it is.
    case copy
    /// It was made the default or not, or was bound to a realm.
    case attributes
    /// It was given on this host.
    case credential
    /// It was removed on this host; nothing else of it is left.
    case removal
  }

  /// Of the last state that this host and the fleet had in common; each change is one more. 0: there was
  /// none.
  package var version: Int64
  package var pending: Pending

  package init(version: Int64, pending: Pending) {
    self.version = version
    self.pending = pending
  }

  /// The version of what is written now.
  package var outgoingVersion: Int64 {
    switch pending {
    case .nothing, .copy: max(version, 1)
    case .attributes, .credential, .removal: version + 1
    }
  }

  /// Versions are counted by one; a larger one is no version. Nothing overflows.
  package static let maximumVersion: Int64 = 1 << 48
}

extension SynchronizationFault: Error {}
