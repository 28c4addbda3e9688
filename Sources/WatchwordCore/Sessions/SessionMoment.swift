package import WatchwordVocabulary

/// The inputs from outside that the session's rules need for one event.
package struct SessionMoment: Sendable {
  /// Seconds of a monotonic clock.
  package let now: Double
  /// Seconds since 1970.
  package let wallClock: Double
  /// The newest task of the daemon.
  package let lastTask: TaskIdentifier
  /// The administrator's rules, as they are now.
  package let policy: TrustPolicy

  package init(now: Double, wallClock: Double, lastTask: TaskIdentifier, policy: TrustPolicy) {
    self.now = now
    self.wallClock = wallClock
    self.lastTask = lastTask
    self.policy = policy
  }
}
