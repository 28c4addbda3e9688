internal import WatchwordVocabulary

/// One task tries what no server has judged lately, and the others wait for the head of its response
/// (challenges.md 12.8).
extension AuthenticationStateMachine {
  /// What the task tries, or waits for another one to try.
  struct Trial: Sendable {
    let key: CredentialTrials.Key
    let kind: Credential.Kind
    let task: TaskIdentifier
    /// Whether the refusal that the credential would answer can still be delivered.
    var holdsRefusal = false
  }

  enum TrialEntry: Sendable {
    case goes
    case waits
    /// The task goes on without this credential.
    case passesOver
  }

  /// Lets the next exchange carry this choice; nil: the server has said nothing to those who tried it, and
  /// the task goes on without it.
  func carryNext(_ choice: Choice, _ attempt: Attempt) -> Outcome? {
    next = .choice(choice)
    switch entersTrial(choice, attempt) {
    case .goes: return .retry
    case .waits:
      trial?.holdsRefusal = true
      return .retryInTurn
    case .passesOver:
      next = .nothing
      return nil
    }
  }

  /// Whether the task may send its choice now.
  func entersTrial(_ choice: Choice, _ attempt: Attempt) -> TrialEntry {
    guard let task = attempt.use.task, let untried = untried(choice, attempt.memory) else {
      leaveTrial(attempt.memory)
      return .goes
    }
    let key = CredentialTrials.Key(untried.kind, in: choice.space)
    if trial?.key != key {
      leaveTrial(attempt.memory)
      trial = Trial(key: key, kind: untried.kind, task: task)
    }
    if goesOnWithout(untried.kind, key, task, attempt.memory) { return .passesOver }
    let mayGo = attempt.memory.trials.enter(key, task, at: hop, isNew: untried.isNew, now: attempt.use.now)
    return mayGo ? .goes : .waits
  }

  /// What has to be tried by one task; nil for what a reply gave, which the board lets one task try, and for
  /// forms, which have turns.
  private func untried(_ choice: Choice, _ memory: SessionMemory) -> (kind: Credential.Kind, isNew: Bool)? {
    guard !choice.space.isLoginForm else { return nil }
    switch choice {
    case .own(let space):
      guard let mine = spaces[space]?.own, !mine.isOnTrial, !mine.isAccepted, mine.source != .session else {
        return nil
      }
      return (mine.credential.kind, true)
    case .cached(let key, _, let isRepeated):
      guard let entry = memory.entry(key) else { return nil }
      let isNew = entry.scopes.isEmpty
      guard isNew || (!isRepeated && memory.trials.hasMultiplexed) else { return nil }
      return (entry.credential.kind, isNew)
    case .unasked(let key):
      // What was given to go with the first request may be a stale password.
      let isNew = memory.isUntried(key)
      guard isNew || memory.trials.hasMultiplexed, let entry = memory.entry(key) else { return nil }
      return (entry.credential.kind, isNew)
    case .renewed: return nil
    }
  }

  /// Whether another task was refused with it since this one began, since the two are parallel, or the server
  /// has said nothing to those who tried it: then this task does not send it any more.
  private func goesOnWithout(
    _ kind: Credential.Kind, _ key: CredentialTrials.Key, _ task: TaskIdentifier, _ memory: SessionMemory
  ) -> Bool {
    if memory.refusedOutside.hasRefused(kind, in: key.space, after: beganAfter ?? 0) {
      spaces[key.space, default: SpaceRecord()].noteRefusalToOthers(of: kind)
    } else if memory.trials.passesOver(key, task) {
      spaces[key.space, default: SpaceRecord()].passOver(kind)
    } else {
      return false
    }
    return true
  }

  /// A server has accepted what the exchange carried.
  func noteTrialAccepted(_ head: ResponseHead, _ attempt: Attempt) {
    guard let sent else { return }
    if !sent.isPreemptive {
      attempt.memory.refusedOutside.noteAcceptance(of: sent.kind, in: sent.space)
    } else if trial != nil, let entry = sent.entry {
      attempt.memory.servedUnasked(entry.key, generation: entry.generation)
    }
    let isMultiplexed = hop == .origin && head.isMultiplexed
    guard trial != nil || isMultiplexed else { return }
    attempt.memory.trials.noteAcceptance(
      of: CredentialTrials.Key(sent.kind, in: sent.space), isMultiplexed: isMultiplexed, now: attempt.use.now)
  }

  /// The task does not try it any more: the next one may.
  func leaveTrial(_ memory: SessionMemory) {
    guard let left = trial.take() else { return }
    memory.trials.leave(left.task, at: hop)
  }

  /// Lets others send what this task has a turn, a connection or a try for.
  func releaseTurns(_ attempt: Attempt) {
    releaseTurn(attempt.memory)
    leaveTrial(attempt.memory)
    releaseConnection(attempt)
  }

  /// The next step of a task that need not wait any longer, because the credential was refused to another one
  /// or the server said nothing; nil: it is sent.
  func trialEnded(_ attempt: Attempt) -> Step? {
    guard let trial, next.choice?.space == trial.key.space,
      goesOnWithout(trial.kind, trial.key, trial.task, attempt.memory)
    else { return nil }
    leaveTrial(attempt.memory)
    next = .nothing
    guard trial.holdsRefusal, refusal != nil else { return nil }
    return Step(outcome: choose(attempt))
  }
}

extension ResponseHead {
  /// Whether its connection carries many requests at once (RFC 9113 §5).
  fileprivate var isMultiplexed: Bool { networkProtocol == "h2" }
}
