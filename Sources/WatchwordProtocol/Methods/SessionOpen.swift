/// `session/open`: opens or joins a session, and registers the challenges that this connection takes.
package enum SessionOpen {
  /// Only the daemon chooses names of private sessions.
  package static let privatePrefix = "private-"
}
