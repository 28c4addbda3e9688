internal import WatchwordVocabulary

/// Applies an answer to the task that asked (challenges.md 5.1).
extension AuthenticationStateMachine {
  /// Takes the board's verdict on a question of this machine.
  func answered(_ verdict: ChallengeVerdict, to question: ChallengeQuestion, _ attempt: Attempt)
    -> Step
  {
    let space = question.space
    switch verdict {
    case .tryCredential, .useCredential, .useStored: spaces[space]?.forgetFaults()
    case .deliverRefusal, .nextOffer, .sourceFailed, .excludeOffer, .cancel, .rejectServerTrust: break
    }
    switch verdict {
    case .tryCredential(let credential):
      return tryOut(credential, for: space, attempt, isOnTrial: true)
    case .useCredential(let credential):
      return tryOut(credential, for: space, attempt, isOnTrial: false)
    case .useStored:
      return Step(outcome: choose(attempt))
    case .deliverRefusal:
      return Step(outcome: .deliver)
    case .nextOffer(let isReply):
      // With a credential that needs confirmation, default handling uses it, if that was the question.
      let confirms = isReply && question.confirmation != nil
      if confirms && hasUnconfirmed(space, attempt) {
        spaces[space, default: SpaceRecord()].isConfirmed = true
      } else if let outcome = takeOutside(for: space, attempt, isConfirmed: confirms) {
        return Step(outcome: outcome)
      } else {
        spaces[space, default: SpaceRecord()].isExcluded = true
        return Step(outcome: choose(attempt, after: record(of: space).fault))
      }
      return Step(outcome: choose(attempt))
    case .sourceFailed(let failure):
      spaces[space, default: SpaceRecord()].sourceFailure = failure
      if let outcome = takeOutside(for: space, attempt) { return Step(outcome: outcome) }
      spaces[space]?.isExcluded = true
      return Step(outcome: choose(attempt))
    case .excludeOffer:
      spaces[space, default: SpaceRecord()].isExcluded = true
      return Step(outcome: choose(attempt))
    case .cancel, .rejectServerTrust:
      return Step(outcome: .fail(.userCancelled))
    }
  }

  private func tryOut(
    _ credential: Credential, for space: ProtectionSpace, _ attempt: Attempt, isOnTrial: Bool
  ) -> Step {
    guard !record(of: space).hasRefused(credential.kind) else {
      return Step(outcome: .deliver, report: isOnTrial ? .refused(credential.kind) : nil)
    }
    guard let offer = offer(for: space),
      let authenticator = try? Authenticator(offer: offer, credential: credential)
    else {
      return Step(outcome: .deliver, report: isOnTrial ? .inconclusive : nil)
    }
    let mine = SpaceRecord.OwnCredential(
      credential, authenticator, isOnTrial: isOnTrial, from: .session,
      chosenAfter: attempt.memory.refusedOutside.number, now: attempt.use.now)
    // Its limits are not for this request (storage.md 9.5.6).
    guard mine.permits(attempt.use) else {
      return Step(outcome: .deliver, report: isOnTrial ? .inconclusive : nil)
    }
    spaces[space, default: SpaceRecord()].own = mine
    next = .choice(.own(space))
    return Step(outcome: .retry)
  }
}
