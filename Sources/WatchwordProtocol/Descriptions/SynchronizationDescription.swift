package import WatchwordCore
package import WatchwordMessages

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
