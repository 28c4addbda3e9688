package import WatchwordCore
internal import WatchwordJSON

/// The fleet's store in `status`.
package struct SynchronizationDescription: Sendable {
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

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("state", state.rawValue)
    writer.member("endpoint", endpoint)
    writer.key("revision")
    if let revision { writer.integer(revision) } else { writer.null() }
    writer.member("pending", pending)
    writer.member("lastError", lastError?.rawValue)
    writer.endObject()
  }
}
