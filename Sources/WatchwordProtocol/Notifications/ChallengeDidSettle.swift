package import WatchwordCore
package import WatchwordJSON
package import WatchwordVocabulary

/// `challenge/didSettle`: a challenge has ended; sent to the connections that were asked.
package struct ChallengeDidSettle: OutgoingNotification {
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

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("challenge", challenge)
    writer.member("session", session)
    writer.member("outcome", outcome.rawValue)
    writer.member("disposition", disposition?.rawValue)
    writer.endObject()
  }
}
