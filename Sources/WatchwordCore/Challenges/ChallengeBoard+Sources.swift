package import WatchwordVocabulary

/// Questions that a source of the administrator answers (challenges.md 9.7).
extension ChallengeBoard {
  /// The source that is read for a question; none for a URL that names its user.
  func source(for question: ChallengeQuestion) -> String? {
    question.isShared ? sources.binding(of: question.space)?.name : nil
  }

  /// The source of a challenge has been read, or could not be: then the delegates are asked.
  ///
  /// - Parameter failure: why it gave nothing; nil also when it has nothing new.
  package mutating func sourceRead(
    _ identifier: String, _ credential: Credential?, _ failure: SourceFailure? = nil, now: Double
  ) -> [Effect] {
    guard let key = keys[identifier], challenges[key]?.source == .reading,
      var challenge = challenges.removeValue(forKey: key)
    else { return [] }
    challenge.endReading(failure)
    guard let credential, !challenge.refused.contains(credential.kind),
      CredentialCheck.fault(of: credential, for: challenge.question.space.authenticationMethod) == nil
    else { return proceed(&challenge, at: key, deadline: challenge.deadline, now: now) }
    let effects = settle(&challenge, .answered, .useCredential)
    challenge.trials.append(challenge.trySource(credential))
    return effects + proceed(&challenge, at: key, now: now)
  }
}
