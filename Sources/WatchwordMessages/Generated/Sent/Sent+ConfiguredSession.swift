package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// What session/configure has changed.
  package struct ConfiguredSession: SentObject {
    package let session: String
    /// The paths of the members whose values are others now.
    package let changed: [String]
    package let dropped: Sent.DroppedFromSession
    /// As those of session/open.
    package let warnings: [String]

    package init(session: String, changed: [String], dropped: Sent.DroppedFromSession, warnings: [String]) {
      self.session = session
      self.changed = changed
      self.dropped = dropped
      self.warnings = warnings
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("session", session)
      writer.member("changed", changed)
      writer.member("dropped", dropped)
      if !warnings.isEmpty { writer.member("warnings", warnings) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      session = try object.member("session")
      changed = try object.member("changed")
      dropped = try object.member("dropped")
      warnings = try object.member("warnings")
    }
  }
}
