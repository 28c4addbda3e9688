internal import WatchwordVocabulary

/// Questions that a source of the administrator answers (storage.md 9.7).
extension ChallengeBoard {
  /// The source that is read for a question; none for a URL that names its user.
  func source(for question: ChallengeQuestion) -> String? {
    question.isForSources ? sources.binding(of: question.space)?.name : nil
  }

  /// The same, if it is not too early to read it again.
  func readableSource(for question: ChallengeQuestion, now: Double) -> String? {
    question.isForSources ? sources.readable(question.space, now: now)?.name : nil
  }

  /// Whether a connection could show a person what the source of this challenge needs.
  func canShow(_ challenge: PendingChallenge) -> Bool {
    let queue = [challenge.raiser] + challenge.waiters
    return roster.candidate(
      for: challenge.question.space.subject, among: queue, without: challenge.answered,
      confirming: challenge.question.confirmation) != nil
  }

  /// The source of a challenge has been read, or could not be: then the delegates are asked.
  ///
  /// - Parameters:
  ///   - identifier: of the challenge for which the reading began.
  ///   - failure: why it gave nothing; nil also when it has nothing new.
  func sourceRead(
    _ identifier: String, _ credential: Credential?, _ failure: SourceFailure? = nil, now: Double
  ) -> [Effect] {
    guard let key = readings.removeValue(forKey: identifier), challenges[key]?.reading == identifier,
      var challenge = challenges.removeValue(forKey: key)
    else { return [] }
    let isShown = challenge.prompt != nil
    challenge.endReading(failure)
    let isNew = credential.map { sources.noteGiven($0, in: challenge.question.space, now: now) } == true
    guard let credential, isNew, !challenge.refused.contains(credential.kind),
      CredentialCheck.fault(of: credential, for: challenge.question.space.authenticationMethod) == nil
    else {
      guard isShown else { return proceed(&challenge, at: key, deadline: challenge.deadline, now: now) }
      // The code that was shown is of no use any more.
      let effects = raiseAgain(&challenge, at: key, now: now)
      challenge.endReading(failure)
      return effects + proceed(&challenge, at: key, now: now)
    }
    // A code settles itself; the end of a reading that was never shown is not announced.
    let effects =
      isShown ? settle(&challenge, .withdrawn, nil) : settle(&challenge, .answered, .useCredential)
    challenge.trials.append(challenge.trySource(credential))
    return effects + proceed(&challenge, at: key, now: now)
  }

  /// A person must enter a code before the source of a challenge gives anything. Another code is another
  /// challenge.
  func sourcePrompts(
    _ identifier: String, _ code: DevicePrompt, now: Double
  ) -> [Effect] {
    guard let key = readings[identifier], challenges[key]?.reading == identifier,
      var challenge = challenges.removeValue(forKey: key)
    else { return [] }
    var effects: [Effect] = []
    if challenge.prompt != nil {
      challenge.endReading(nil)
      effects += raiseAgain(&challenge, at: key, now: now)
      challenge.noteReading(identifier)
    }
    challenge.show(
      PendingChallenge.SourcePrompt(name: source(for: challenge.question) ?? "", code: code))
    return effects + proceed(&challenge, at: key, now: now)
  }

  /// A reply binds the space of a challenge to a source that needs a person: the source is read, and what it
  /// needs is shown by another challenge.
  ///
  /// - Throws: ``ReplyFault``; a challenge that was pending stays pending.
  func bind(
    _ binding: SourceBindings.Binding, inReplyTo identifier: String, by peer: PeerIdentifier, now: Double
  ) throws(ReplyFault) -> [Effect] {
    guard let key = keys[identifier], let pending = challenges[key], isEntitled(peer, to: pending) else {
      throw .notPending
    }
    guard pending.question.isForSources, sources.bind(pending.question.space, to: binding) else {
      throw .unusable(.sourceFailed)
    }
    challenges[key] = nil
    var challenge = pending
    let effects = settle(&challenge, .answered, .useCredential)
    return effects + proceed(&challenge, at: key, deadline: challenge.deadline, now: now)
  }

  /// Ends the readings for spaces that are not bound any more: the delegates are asked.
  func stopUnboundReadings(now: Double) -> [Effect] {
    var effects: [Effect] = []
    for key in Set(readings.values) {
      guard let bound = challenges[key], bound.reading != nil, source(for: bound.question) == nil,
        var challenge = challenges.removeValue(forKey: key)
      else { continue }
      effects += settle(&challenge, .withdrawn, nil)
      effects += proceed(&challenge, at: key, deadline: challenge.deadline, now: now)
    }
    return effects
  }

  // MARK: Steps

  /// The challenge has a question under a new id.
  func raise(
    _ challenge: inout PendingChallenge, at key: Key, deadline: Double? = nil, now: Double
  ) {
    let identifier = makeIdentifier()
    challenge.beginAsking(identifier, deadline: deadline ?? now + settings.deadlineSeconds, now: now)
    keys[identifier] = key
  }

  private func raiseAgain(
    _ challenge: inout PendingChallenge, at key: Key, now: Double
  ) -> [Effect] {
    let effects = settle(&challenge, .withdrawn, nil)
    challenge.describeWaitingTask()
    raise(&challenge, at: key, deadline: challenge.deadline, now: now)
    return effects
  }

  func stopReading(_ reading: String) -> [Effect] {
    readings.removeValue(forKey: reading) == nil ? [] : [.stopReading(challenge: reading)]
  }
}
