package import WatchwordJSON

/// `session/open`: opens or joins a session, and registers the challenges that this connection takes.
package enum SessionOpen {
  /// Only the daemon chooses names of private sessions.
  package static let privatePrefix = "private-"

  package static func write(session: String, created: Bool, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("session", session)
    writer.member("created", created)
    writer.endObject()
  }
}
