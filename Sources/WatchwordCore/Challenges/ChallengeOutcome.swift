/// How a challenge ended, for `challenge/didSettle`.
package enum ChallengeOutcome: String, Sendable {
  case answered
  case `default`
  case deadline
  case withdrawn
}
