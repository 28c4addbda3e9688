package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// The sessions that session/prune has ended.
  package struct PrunedSessions: SentObject {
    package let sessions: [String]

    package init(sessions: [String]) {
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
