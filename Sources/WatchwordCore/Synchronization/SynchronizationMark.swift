/// What a host remembers of a synchronizable credential, beside it, to reconcile it with the fleet's copy (storage.md
/// 9.12).
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

  /// Of the last state that this host and the fleet had in common; each change is one more. 0: there was none.
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
