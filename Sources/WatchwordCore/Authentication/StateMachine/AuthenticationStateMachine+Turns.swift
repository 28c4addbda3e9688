internal import WatchwordVocabulary

/// Takes turns in a space where counts must arrive in order (methods.md 8.6).
extension AuthenticationStateMachine {
  /// Whether the request may be sent now; if not, the task waits for its turn.
  mutating func takesTurn(
    _ space: ProtectionSpace?, _ use: CredentialUse, _ cache: inout CredentialCache
  ) -> Bool {
    guard let space, let task = use.task else {
      releaseTurn(&cache)
      return true
    }
    let mayGo = cache.turns.enter(space, task)
    turn = cache.turns.space(of: task, at: hop) == nil ? nil : task
    return mayGo
  }

  /// The other tasks wait for the server's response to this one.
  mutating func repeatAlone(
    in space: ProtectionSpace, _ task: TaskIdentifier, _ cache: inout CredentialCache
  ) {
    cache.turns.begin(space, task)
    if cache.turns.isHolder(task, of: space) { turn = task }
  }

  /// The next task may send.
  package mutating func releaseTurn(_ cache: inout CredentialCache) {
    guard let task = turn else { return }
    turn = nil
    isTurnOfLogin = false
    cache.turns.leave(task, at: hop)
  }

  /// The next step of the task when another one has tried the credential for it, or its turn has come.
  mutating func retried(
    for use: CredentialUse, canAsk: ChallengeBoard.CanAsk, cache: inout CredentialCache
  ) -> Step {
    if let step = trialEnded(use, canAsk, &cache) { return step }
    guard let refused = deferred, let tried = refused.entry,
      cache.entry(tried.key)?.generation != tried.generation
    else { return Step(outcome: .retry) }
    // The server has refused the credential with a new nonce too, or it was replaced.
    deferred = nil
    next = nil
    releaseTurn(&cache)
    return credentialRefused(refused, use, canAsk, &cache)
  }

  /// Whether this task may use the space's nonce now, without a turn.
  func mayShareNonce(of space: ProtectionSpace, _ use: CredentialUse, _ cache: CredentialCache) -> Bool {
    guard let task = use.task else { return true }
    return !cache.turns.isOrdered(space) || cache.turns.isHolder(task, of: space)
  }
}

/// Asks servers that refuse the second use of a Digest nonce without one (methods.md 8.8).
extension AuthenticationStateMachine {
  /// What a response that is no 401 or 407 says of the nonce's use; a step when the request is repeated
  /// without one that has served.
  mutating func repetitionWithoutReuse(
    _ head: ResponseHead, _ use: CredentialUse, _ cache: inout CredentialCache
  ) -> Step? {
    guard policy.digest.preemptive == .auto, head.status < 500, let sent, let ticket = sent.ticket else {
      return nil
    }
    let isRefusal = head.status == 400 || head.status == 403
    let finding = cache.nonceReuse.finding(of: sent.space)
    guard sent.isPreemptive, ticket.nonceCount > 1 else {
      if finding == .suspected, !sent.isPreemptive {
        cache.nonceReuse.note(isRefusal ? .accepted : .refused, of: sent.space)
      }
      return nil
    }
    guard isRefusal, finding != .accepted else {
      if finding == nil { cache.nonceReuse.note(.accepted, of: sent.space) }
      return nil
    }
    if finding == nil { cache.nonceReuse.note(.suspected, of: sent.space) }
    guard use.isRepeatable else { return nil }
    self.sent = nil
    releaseTurns(use, &cache)
    return Step(outcome: .retry)
  }
}
