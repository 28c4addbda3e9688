internal import WatchwordVocabulary

/// The session under the lock of its account's agent (storage.md 9.11).
extension SessionState {
  /// Forgets its secrets and withdraws its challenges. Running exchanges end as they would; a task that would
  /// send or ask waits until the agent is unlocked.
  package mutating func lock() -> [SessionEffect] {
    guard !isLocked else { return [] }
    isLocked = true
    let (waiting, new) = board.lock()
    wipe()
    consequences = consequences.map(\.withoutCredential)
    effects.append(.forgetAllTickets)
    runBoard(new)
    for identifier in waiting { follow(.hold(identifier)) }
    // A request that has no connection yet is not sent.
    let others = tasks.values.filter { !$0.isHeld }.map(\.identifier).sorted(on: \.number)
    effects += others.map { .task($0, .takeBack) }
    giveTurns()
    return takeEffects()
  }

  /// - Parameter isByReply: whether a reply to this session's challenge has unlocked the agent.
  package mutating func unlock(isByReply: Bool) -> [SessionEffect] {
    guard isLocked else { return [] }
    isLocked = false
    runBoard(board.unlock(isByReply ? .answered : .withdrawn))
    return takeEffects()
  }

  // MARK: Steps

  /// The task waits under the one challenge of the lock.
  ///
  /// - Parameter isWaiting: whether it has waited for another answer.
  mutating func hold(_ task: SessionTask, isWaiting: Bool) {
    task.machine.held(context(of: task))
    guard !task.isHeld else { return }
    task.isHeld = true
    if !isWaiting { effects.append(.task(task.identifier, .beginWait)) }
    let url = task.machine.currentStep.url
    let question = ChallengeQuestion(
      url: url, space: .agentUnlock(before: url.origin), offers: [], proposed: nil,
      previousFailureCount: 0, failureResponse: nil)
    raise(question, by: task)
  }

  /// The agent was locked while the task waited for an answer, and may be unlocked again.
  mutating func holdOrRelease(_ task: SessionTask) {
    if isLocked { return hold(task, isWaiting: true) }
    guard !task.isHeld else { return }
    task.machine.held(context(of: task))
    effects.append(.task(task.identifier, .endWait))
    release(task, .useStored)
  }

  /// The challenge of the lock has ended for the task.
  mutating func release(_ task: SessionTask, _ verdict: ChallengeVerdict) {
    task.isHeld = false
    let new =
      switch verdict {
      case .useStored: task.machine.handle(.unlocked, context(of: task))
      case .cancel: task.machine.stop(.authentication(.userCancelled))
      case .tryCredential, .useCredential, .deliverRefusal, .nextOffer, .sourceFailed,
        .excludeOffer, .rejectServerTrust:
        task.machine.stop(.agentLocked)
      }
    carryOut(new, for: task)
  }
}
