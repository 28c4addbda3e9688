package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// The vault of the caller's uid.
  package struct VaultStatus: SentObject {
    /// Where it is or would be made; null when the daemon has no state directory.
    package let path: String?
    package let state: String
    /// Permanent credentials in memory.
    package let credentials: Int
    /// Permanent decisions about servers' certificates in memory.
    package let trust: Int
    /// Permanent client identities in memory.
    package let identities: Int
    /// Records that did not open when it was read; of an open one.
    package let unreadable: Int
    /// What has opened it; of an open one.
    package let opensWith: String?
    /// All that opens it, what has opened it first; of an open one.
    package let openers: [String]
    /// Why it is unavailable, or how the keyring that has its key is unlocked, for a person.
    package let reason: String?

    package init(
      path: String?, state: String, credentials: Int, trust: Int, identities: Int, unreadable: Int,
      opensWith: String?, openers: [String], reason: String?
    ) {
      self.path = path
      self.state = state
      self.credentials = credentials
      self.trust = trust
      self.identities = identities
      self.unreadable = unreadable
      self.opensWith = opensWith
      self.openers = openers
      self.reason = reason
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("path", path)
      writer.member("state", state)
      writer.member("credentials", credentials)
      writer.member("trust", trust)
      writer.member("identities", identities)
      writer.member("unreadable", unreadable)
      writer.member("opensWith", opensWith)
      writer.member("openers", openers)
      writer.member("reason", reason)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      path = try object.member("path")
      state = try object.member("state")
      credentials = try object.member("credentials")
      trust = try object.member("trust")
      identities = try object.member("identities")
      unreadable = try object.member("unreadable")
      opensWith = try object.member("opensWith")
      openers = try object.member("openers")
      reason = try object.member("reason")
    }
  }
}
