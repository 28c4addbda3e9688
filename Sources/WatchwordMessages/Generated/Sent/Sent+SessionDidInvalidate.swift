package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// The parameters of `session/didInvalidate`. The session is gone. To the session's holders.
  package struct SessionDidInvalidate: SentObject {
    package let session: String
    package let reason: String

    package init(session: String, reason: String) {
      self.session = session
      self.reason = reason
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("session", session)
      writer.member("reason", reason)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      session = try object.member("session")
      reason = try object.member("reason")
    }
  }
}
