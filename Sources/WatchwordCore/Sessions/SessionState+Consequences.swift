internal import WatchwordVocabulary

/// What follows from one event for many tasks or challenges: the first are served with the event, the others
/// by `goOn`, in the same order. Other callers are served between these events.
extension SessionState {
  /// What an event can lead to for each of thousands.
  enum Consequence {
    /// The task has an answer.
    case answer(TaskIdentifier, ChallengeVerdict)
    /// It may send now.
    case turn(TaskIdentifier)
    /// The agent was locked while it waited for an answer.
    case hold(TaskIdentifier)
    /// Its machine was stopped; it has not ended yet.
    case end(SessionTask, TaskFailure)
    /// The connection that was asked may not answer any more.
    case askAnother(about: String)
  }

  /// Whether `goOn` has something to do.
  package var isBehind: Bool { !consequences.isEmpty }

  /// Carries out some more of what follows from earlier events.
  package mutating func goOn() -> [SessionEffect] {
    let next = consequences.prefix(surroundings.servedTogether)
    consequences.removeFirst(next.count)
    // What follows from these comes after the others.
    servedCount = surroundings.servedTogether
    for consequence in next {
      // Those of the board are its effects.
      isCarryingOut = consequence.isOfBoard
      serve(consequence)
      isCarryingOut = false
      runBoard([])
    }
    giveTurns()
    return takeEffects()
  }

  // MARK: Steps

  /// Carries it out with this event, or leaves it to `goOn`.
  mutating func follow(_ consequence: Consequence) {
    guard consequences.isEmpty, servedCount < surroundings.servedTogether else {
      return consequences.append(consequence)
    }
    servedCount += 1
    serve(consequence)
  }

  /// The task may have ended meanwhile, and the agent may have been locked or unlocked.
  private mutating func serve(_ consequence: Consequence) {
    switch consequence {
    case .answer(let identifier, let verdict):
      guard let task = tasks[identifier], task.machine.phase != .finished else { return }
      effects.append(.task(identifier, .endWait))
      if task.isHeld { return release(task, verdict) }
      let new = task.machine.handle(.answered(verdict), context(of: task))
      carryOut(new, for: task)
    case .turn(let identifier):
      guard let task = tasks[identifier] else {
        memory.turns.leave(identifier)
        memory.trials.leave(identifier)
        return memory.bound.end(identifier)
      }
      carryOut(task.machine.handle(.turnCame, context(of: task)), for: task)
    case .hold(let identifier):
      guard let task = tasks[identifier], task.machine.phase != .finished else { return }
      holdOrRelease(task)
    case .end(let task, let failure):
      if case .restricted(let fault) = failure, let restriction = task.restriction {
        note(fault, against: restriction, by: task.process)
      }
      left(task)
      if tasks[task.identifier] != nil { effects.append(.task(task.identifier, .stop(failure))) }
    case .askAnother(let challenge):
      runBoard(board.askAnother(about: challenge, now: moment.now))
    }
  }
}

extension SessionState.Consequence {
  /// Whether the board asks for it.
  fileprivate var isOfBoard: Bool {
    switch self {
    case .answer, .askAnother: true
    case .turn, .hold, .end: false
    }
  }

  /// What is left of it when the session forgets its secrets: the task asks again.
  var withoutCredential: Self {
    switch self {
    case .answer(let task, .tryCredential), .answer(let task, .useCredential): .answer(task, .useStored)
    case .answer, .turn, .hold, .end, .askAnother: self
    }
  }
}
