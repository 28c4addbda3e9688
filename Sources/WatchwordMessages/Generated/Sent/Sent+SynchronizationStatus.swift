package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// The store of the fleet.
  package struct SynchronizationStatus: SentObject {
    /// idle: no uid of this host can be synchronized. waiting: it is tried again after lastError.
    package let state: String
    /// The endpoint in use, or the one to be tried next.
    package let endpoint: String
    /// Of the fleet's store, up to which the caller's uid has everything; null before it was read.
    package let revision: Int?
    /// Changes of the uid that the store does not have yet.
    package let pending: Int
    /// Why the store could not be used the last time (administrator.md 15.4.6).
    package let lastError: String?

    package init(state: String, endpoint: String, revision: Int?, pending: Int, lastError: String?) {
      self.state = state
      self.endpoint = endpoint
      self.revision = revision
      self.pending = pending
      self.lastError = lastError
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("state", state)
      writer.member("endpoint", endpoint)
      writer.member("revision", revision)
      writer.member("pending", pending)
      writer.member("lastError", lastError)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      state = try object.member("state")
      endpoint = try object.member("endpoint")
      revision = try object.member("revision")
      pending = try object.member("pending")
      lastError = try object.member("lastError")
    }
  }
}
