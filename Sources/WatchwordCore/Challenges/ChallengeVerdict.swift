package import WatchwordVocabulary

/// What the board tells one waiting task.
package enum ChallengeVerdict: Sendable, Equatable {
  /// Try this one first; whether the server accepts it decides for the other tasks (challenges.md 12.7).
  case tryCredential(Credential)
  /// The server accepted it, but it is only for the tasks of this answer (persistence `none`).
  case useCredential(Credential)
  /// The server accepted it and it is in the session's cache now; or a handshake question has been decided.
  case useStored
  /// The reply has no credential, or one that this space refused before: the refusal is the result.
  case deliverRefusal
  /// ``AnswerMeaning/nextOffer(confirms:)``
  case nextOffer(confirms: Bool)
  /// The same as ``nextOffer(confirms:)``, for a space whose source has failed.
  case sourceFailed(SourceFailure)
  /// ``AnswerMeaning/excludeOffer``
  case excludeOffer
  case cancel
  case rejectServerTrust
}
