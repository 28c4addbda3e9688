package import WatchwordJSON

/// `session/didInvalidate`: a session has ended; sent to its holders.
package struct SessionDidInvalidate: OutgoingNotification {
  package enum Reason: String, Sendable, CaseIterable {
    case invalidated
    case finished
    case idle
    case shutdown
  }

  package let session: String
  package let reason: Reason

  package init(session: String, reason: Reason) {
    self.session = session
    self.reason = reason
  }

  package var name: StaticString { "session/didInvalidate" }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("session", session)
    writer.member("reason", reason.rawValue)
    writer.endObject()
  }
}
