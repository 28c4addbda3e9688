internal import WatchwordVocabulary

/// Takes turns in a space where counts must arrive in order (methods.md 8.6).
extension AuthenticationStateMachine {
  /// Whether the request may be sent now; if not, the task waits for its turn.
  func takesTurn(_ space: ProtectionSpace?, _ attempt: Attempt) -> Bool {
    guard let space, let task = attempt.use.task else {
      releaseTurn(attempt.memory)
      return true
    }
    let mayGo = attempt.memory.turns.enter(space, task)
    turn = attempt.memory.turns.space(of: task, at: hop) == nil ? nil : Turn(task: task)
    return mayGo
  }

  /// The other tasks wait for the server's response to this one.
  func repeatAlone(in space: ProtectionSpace, _ task: TaskIdentifier, _ memory: SessionMemory) {
    memory.turns.begin(space, task)
    if memory.turns.isHolder(task, of: space) { turn = Turn(task: task) }
  }

  /// The next task may send.
  func releaseTurn(_ memory: SessionMemory) {
    guard let task = turn?.task else { return }
    turn = nil
    memory.turns.leave(task, at: hop)
  }

  /// The next step of the task when another one has tried the credential for it, or its turn has come.
  func retried(_ attempt: Attempt) -> Step {
    if case .afterOthers(_, let refused) = next, let tried = refused.entry,
      attempt.memory.entry(tried.key)?.generation != tried.generation
    {
      // The server has refused the credential with a new nonce too, or it was replaced.
      next = .nothing
      releaseTurn(attempt.memory)
      leaveTrial(attempt.memory)
      return credentialRefused(refused, attempt)
    }
    return trialEnded(attempt) ?? Step(outcome: .retry)
  }

  /// Whether this task may use the space's nonce now, without a turn.
  func mayShareNonce(of space: ProtectionSpace, _ attempt: Attempt) -> Bool {
    guard let task = attempt.use.task else { return true }
    return !attempt.memory.turns.isOrdered(space) || attempt.memory.turns.isHolder(task, of: space)
  }
}

/// Asks servers that refuse the second use of a Digest nonce without one (methods.md 8.8).
extension AuthenticationStateMachine {
  /// What a response that is no 401 or 407 says of the nonce's use; a step when the request is repeated
  /// without one that has served.
  func repetitionWithoutReuse(_ head: ResponseHead, _ attempt: Attempt) -> Step? {
    guard policy.digest.preemptive == .auto, head.status < 500, let sent, let ticket = sent.ticket else {
      return nil
    }
    let isRefusal = head.status == 400 || head.status == 403
    let finding = attempt.memory.nonces.reuse.finding(of: sent.space)
    guard sent.isPreemptive, ticket.nonceCount > 1 else {
      if finding == .suspected, !sent.isPreemptive {
        attempt.memory.nonces.reuse.note(isRefusal ? .accepted : .refused, of: sent.space)
      }
      return nil
    }
    guard isRefusal, finding != .accepted else {
      if finding == nil { attempt.memory.nonces.reuse.note(.accepted, of: sent.space) }
      return nil
    }
    if finding == nil { attempt.memory.nonces.reuse.note(.suspected, of: sent.space) }
    guard attempt.use.isRepeatable else { return nil }
    phase = .idle
    releaseTurns(attempt)
    return Step(outcome: .retry)
  }
}
