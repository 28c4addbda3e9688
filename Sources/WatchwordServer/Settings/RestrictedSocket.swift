internal import WatchwordCore

/// A socket of the administrator's, whose connections may fetch in one session what the rules allow.
package struct RestrictedSocket: Sendable, Equatable {
  /// Absolute; in a directory as that of the daemon's own socket.
  let path: String
  /// The name of a session of the daemon's uid.
  let session: String
  let rules: [RestrictionRule]
}
