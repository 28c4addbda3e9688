internal import WatchwordCore
package import WatchwordJSON

/// `session/didReceiveChallenge` and `task/didReceiveChallenge`: somebody entitled is asked; they answer with `challenge/reply`.
package struct DidReceiveChallenge: OutgoingNotification {
  package let challenge: ChallengeDescription

  package init(_ challenge: ChallengeDescription) { self.challenge = challenge }

  /// Challenges §1: which of the two it is follows from the authentication method.
  package var name: StaticString {
    challenge.question.space.authenticationMethod.isSessionWide
      ? "session/didReceiveChallenge" : "task/didReceiveChallenge"
  }

  package func write(to writer: inout JSONWriter) { challenge.write(to: &writer) }
}
