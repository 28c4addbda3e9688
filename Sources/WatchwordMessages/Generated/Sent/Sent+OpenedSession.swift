package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// A session that a connection holds from now on.
  package struct OpenedSession: SentObject {
    package let session: String
    /// False when the session existed.
    package let created: Bool

    package init(session: String, created: Bool) {
      self.session = session
      self.created = created
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("session", session)
      writer.member("created", created)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      session = try object.member("session")
      created = try object.member("created")
    }
  }
}
