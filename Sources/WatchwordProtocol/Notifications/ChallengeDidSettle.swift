package import WatchwordCore
package import WatchwordMessages
package import WatchwordVocabulary

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
