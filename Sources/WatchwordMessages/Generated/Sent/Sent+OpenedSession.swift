package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// A session that a connection holds from now on.
  package struct OpenedSession: SentObject {
    package let session: String
    /// False when the session existed.
    package let created: Bool
    /// What of the configuration does not count, for a person: at present unknown words of netrc (messages.md
    /// 14.7).
    package let warnings: [String]

    package init(session: String, created: Bool, warnings: [String]) {
      self.session = session
      self.created = created
      self.warnings = warnings
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("session", session)
      writer.member("created", created)
      if !warnings.isEmpty { writer.member("warnings", warnings) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      session = try object.member("session")
      created = try object.member("created")
      warnings = try object.member("warnings")
    }
  }
}
