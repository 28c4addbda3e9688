package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// The sessions of the caller's uid.
  package struct SessionList: SentObject {
    /// Each with the numbers of what it has.
    package let sessions: [Sent.SessionSummary]

    package init(sessions: [Sent.SessionSummary]) {
      self.sessions = sessions
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("sessions", sessions)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      sessions = try object.member("sessions")
    }
  }
}
