package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// Whether the agent of the caller's uid is locked.
  package struct AgentLock: SentObject {
    package let locked: Bool

    package init(locked: Bool) {
      self.locked = locked
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("locked", locked)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      locked = try object.member("locked")
    }
  }
}
