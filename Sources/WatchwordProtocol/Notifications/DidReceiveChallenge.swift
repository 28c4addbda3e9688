package import WatchwordJSON
internal import WatchwordMessages

/// `session/didReceiveChallenge` and `task/didReceiveChallenge`: ask a delegate, which answers with
/// `challenge/reply`.
package struct DidReceiveChallenge: OutgoingNotification {
  package let challenge: ChallengeDescription
  /// Whether a session delegate is asked for a method that concerns the session: all others concern the task
  /// (challenges.md 1.4).
  package let isForSession: Bool

  package init(_ challenge: ChallengeDescription, isForSession: Bool) {
    self.challenge = challenge
    self.isForSession = isForSession
  }

  package var name: StaticString {
    isForSession ? "session/didReceiveChallenge" : "task/didReceiveChallenge"
  }

  package func write(to writer: inout JSONWriter) { challenge.write(to: &writer) }
}
