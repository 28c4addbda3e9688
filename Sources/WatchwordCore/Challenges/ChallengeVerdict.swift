/// What the board tells one waiting task.
package enum ChallengeVerdict: Sendable, Equatable {
  /// Try this one first; whether the server accepts it decides for the others (challenges.md 12.7).
  case tryCredential(Credential)
  /// It was accepted, but is for the tasks of this answer only (persistence `none`).
  case useCredential(Credential)
  /// It was accepted and is in the session's cache now; or, for a question of a handshake, it has been decided.
  case useStored
  /// A credential that this space refused before, or none: go on without, the refusal is the result.
  case deliverRefusal
  /// ``AnswerMeaning/nextOffer(confirms:)``
  case nextOffer(confirms: Bool)
  case cancel
  case rejectServerTrust
}
