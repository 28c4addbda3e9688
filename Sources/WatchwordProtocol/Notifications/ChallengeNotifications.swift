package import WatchwordCore
package import WatchwordJSON
package import WatchwordMessages
package import WatchwordVocabulary

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

/// `challenge/didSettle`: a challenge has ended; sent to the connections that were asked.
package struct ChallengeDidSettle: OutgoingNotification, Describing {
  package let challenge: String
  package let session: String
  package let outcome: ChallengeOutcome
  /// Nil when no delegate answered.
  package let disposition: Disposition?

  package init(challenge: String, session: String, outcome: ChallengeOutcome, disposition: Disposition?) {
    self.challenge = challenge
    self.session = session
    self.outcome = outcome
    self.disposition = disposition
  }

  package var name: StaticString { "challenge/didSettle" }

  package var sent: Sent.ChallengeDidSettle {
    Sent.ChallengeDidSettle(
      challenge: challenge, session: session, outcome: outcome.rawValue, disposition: disposition?.rawValue)
  }
}
