package import WatchwordMessages

/// `session/didInvalidate`: a session has ended; sent to its holders.
package struct SessionDidInvalidate: OutgoingNotification, Describing {
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

  package var sent: Sent.SessionDidInvalidate {
    Sent.SessionDidInvalidate(session: session, reason: reason.rawValue)
  }
}
