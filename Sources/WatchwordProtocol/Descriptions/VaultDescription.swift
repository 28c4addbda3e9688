package import WatchwordCore
package import WatchwordMessages

/// The vault of the peer's account, as `status` shows it.
package struct VaultDescription: Sendable, Describing {
  package enum State: String, Sendable {
    /// There is none: nothing permanent has been kept yet.
    case none
    case open
    /// It waits for its passphrase.
    case locked
    /// Its contents were wiped from memory, and are read again when they are needed.
    case forgotten
    case unavailable
  }

  package let state: State
  /// Where it is or would be; nil when the daemon has no place for it.
  package let path: String?
  package let credentials: Int
  /// Permanent decisions about servers' certificates.
  package let trust: Int
  /// Permanent client identities.
  package let identities: Int
  /// Records that did not open.
  package let unreadable: Int
  /// What opens it, of an open one: what has opened it comes first.
  package let openers: [String]?
  /// Why it is unavailable, for a person.
  package let reason: String?

  package init(
    state: State, path: String?, credentials: Int, trust: Int, identities: Int,
    unreadable: Int = 0, openers: [String]? = nil, reason: String? = nil
  ) {
    self.state = state
    self.path = path
    self.credentials = credentials
    self.trust = trust
    self.identities = identities
    self.unreadable = unreadable
    self.openers = openers
    self.reason = reason
  }

  package var sent: Sent.VaultStatus {
    Sent.VaultStatus(
      path: path, state: state.rawValue, credentials: credentials, trust: trust, identities: identities,
      unreadable: unreadable, opensWith: openers?.first, openers: openers ?? [], reason: reason)
  }
}

/// The fleet's store in `status`.
package struct SynchronizationDescription: Sendable, Describing {
  package let state: SynchronizationStateMachine.State
  /// The one in use, or to be tried next.
  package let endpoint: String
  /// Of the store, up to which the account's vault has everything; nil: it was not read yet.
  package let revision: Int64?
  /// Changes of the account that the store does not have yet.
  package let pending: Int
  package let lastError: SynchronizationFault?

  package init(
    state: SynchronizationStateMachine.State, endpoint: String, revision: Int64?, pending: Int,
    lastError: SynchronizationFault?
  ) {
    self.state = state
    self.endpoint = endpoint
    self.revision = revision
    self.pending = pending
    self.lastError = lastError
  }

  package var sent: Sent.SynchronizationStatus {
    Sent.SynchronizationStatus(
      state: state.rawValue, endpoint: endpoint, revision: revision.map { Int($0) }, pending: pending,
      lastError: lastError?.rawValue)
  }
}
