internal import WatchwordVocabulary

/// Applies an answer to the task that asked (challenges.md 5.1).
extension AuthenticationStateMachine {
  /// Takes the board's verdict on the question of `ask`.
  mutating func answered(
    _ verdict: ChallengeVerdict, to question: ChallengeQuestion, use: CredentialUse,
    canAsk: ChallengeBoard.CanAsk,
    cache: inout CredentialCache
  ) -> Step {
    let space = question.space
    switch verdict {
    case .tryCredential, .useCredential, .useStored: spaces[space]?.forgetFaults()
    case .deliverRefusal, .nextOffer, .sourceFailed, .excludeOffer, .cancel, .rejectServerTrust: break
    }
    switch verdict {
    case .tryCredential(let credential):
      return take(credential, for: space, use, isOnTrial: true, cache)
    case .useCredential(let credential):
      return take(credential, for: space, use, isOnTrial: false, cache)
    case .useStored:
      return Step(outcome: choose(use, canAsk, &cache))
    case .deliverRefusal:
      return Step(outcome: .deliver)
    case .nextOffer(let isReply):
      // With a credential that needs confirmation, default handling uses it, if that was the question.
      let confirms = isReply && question.confirmation != nil
      if confirms && hasUnconfirmed(space, use, &cache) {
        spaces[space, default: SpaceRecord()].isConfirmed = true
      } else if let outcome = takeOutside(for: space, use, &cache, isConfirmed: confirms) {
        return Step(outcome: outcome)
      } else {
        spaces[space, default: SpaceRecord()].isExcluded = true
        return Step(outcome: choose(use, canAsk, &cache, after: record(of: space).fault))
      }
      return Step(outcome: choose(use, canAsk, &cache))
    case .sourceFailed(let failure):
      spaces[space, default: SpaceRecord()].sourceFailure = failure
      if let outcome = takeOutside(for: space, use, &cache) { return Step(outcome: outcome) }
      spaces[space]?.isExcluded = true
      return Step(outcome: choose(use, canAsk, &cache))
    case .excludeOffer:
      spaces[space, default: SpaceRecord()].isExcluded = true
      return Step(outcome: choose(use, canAsk, &cache))
    case .cancel, .rejectServerTrust:
      return Step(outcome: .fail(.userCancelled))
    }
  }

  private mutating func take(
    _ credential: Credential, for space: ProtectionSpace, _ use: CredentialUse, isOnTrial: Bool,
    _ cache: CredentialCache
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
      chosenAfter: cache.refusedOutside.number, now: use.now)
    // Its limits are not for this request (storage.md 9.5.6).
    guard mine.permits(use) else { return Step(outcome: .deliver, report: isOnTrial ? .inconclusive : nil) }
    spaces[space, default: SpaceRecord()].own = mine
    next = .own(space)
    return Step(outcome: .retry)
  }
}
