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
  package mutating func goOn(at moment: SessionMoment) -> [SessionEffect] {
    let next = consequences.prefix(surroundings.servedTogether)
    consequences.removeFirst(next.count)
    // What follows from these comes after the others.
    servedCount = surroundings.servedTogether
    for consequence in next {
      // Those of the board are its effects.
      isCarryingOut = consequence.isOfBoard
      serve(consequence, at: moment)
      isCarryingOut = false
      runBoard([], at: moment)
    }
    giveTurns(at: moment)
    return takeEffects()
  }

  // MARK: Steps

  /// Carries it out with this event, or leaves it to `goOn`.
  mutating func follow(_ consequence: Consequence, at moment: SessionMoment) {
    guard consequences.isEmpty, servedCount < surroundings.servedTogether else {
      return consequences.append(consequence)
    }
    servedCount += 1
    serve(consequence, at: moment)
  }

  /// The task may have ended meanwhile, and the agent may have been locked or unlocked.
  private mutating func serve(_ consequence: Consequence, at moment: SessionMoment) {
    switch consequence {
    case .answer(let identifier, let verdict):
      guard let task = tasks[identifier], task.machine.phase != .finished else { return }
      effects.append(.task(identifier, .endWait))
      if task.isHeld { return release(task, verdict, at: moment) }
      let new = task.machine.take(.answered(verdict), context(of: task, moment), cache: &credentials)
      carryOut(new, for: task, at: moment)
    case .turn(let identifier):
      guard let task = tasks[identifier] else {
        credentials.turns.leave(identifier)
        credentials.trials.leave(identifier)
        return credentials.bound.end(identifier)
      }
      carryOut(
        task.machine.take(.turnCame, context(of: task, moment), cache: &credentials), for: task, at: moment)
    case .hold(let identifier):
      guard let task = tasks[identifier], task.machine.phase != .finished else { return }
      holdOrRelease(task, at: moment)
    case .end(let task, let failure):
      if case .restricted(let fault) = failure, let restriction = task.restriction {
        note(fault, against: restriction, by: task.process, at: moment)
      }
      left(task, at: moment)
      if tasks[task.identifier] != nil { effects.append(.task(task.identifier, .stop(failure))) }
    case .askAnother(let challenge):
      runBoard(board.askAnother(about: challenge, now: moment.now), at: moment)
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
