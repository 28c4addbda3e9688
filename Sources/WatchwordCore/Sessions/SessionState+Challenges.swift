package import WatchwordVocabulary

/// Events of challenges: replies, deadlines, and the server's response to a credential on trial.
extension SessionState {
  /// What answers a challenge.
  package enum Reply {
    /// With the credential of `useCredential`; nil: go on without one.
    case disposition(Disposition, Credential?)
    /// `useCredential` with a source that needs a person: the space is bound to it.
    case source(SourceBindings.Binding)

    package var disposition: Disposition {
      switch self {
      case .disposition(let disposition, _): disposition
      case .source: .useCredential
      }
    }
  }

  /// Takes a reply.
  ///
  /// - Parameter because: why, for the history.
  /// - Returns: For how many seconds it was waited for, and what follows.
  /// - Throws: ``ChallengeBoard/ReplyFault``; a challenge that was pending stays pending.
  package mutating func reply(
    _ identifier: String, by peer: PeerIdentifier, _ reply: Reply, because: String? = nil
  ) throws(ChallengeBoard.ReplyFault) -> (Double, [SessionEffect]) {
    if reply.disposition == .useCredential, let rule = ruleAgainstTrust(in: identifier) {
      throw .notAllowed(rule: rule)
    }
    let raised = board.challenge(identifier)?.raised
    let effects =
      switch reply {
      case .disposition(let disposition, let credential):
        try board.reply(
          identifier, by: peer, disposition, credential, lastTask: moment.lastTask, now: moment.now)
      case .source(let binding):
        try board.bind(binding, inReplyTo: identifier, by: peer, now: moment.now)
      }
    replier = Replier(challenge: identifier, process: surroundings.process(peer), because: because)
    runBoard(effects)
    return (raised.map { moment.now - $0 } ?? 0, takeEffects())
  }

  /// When `tick` must be called next; nil when nothing is due.
  package var nextDeadline: Double? {
    [board.nextDeadline, memory.trials.nextDeadline].compactMap(\.self).min()
  }

  /// Carries out what is due.
  package mutating func tick() -> [SessionEffect] {
    runBoard(board.tick(now: moment.now, atMost: surroundings.servedTogether))
    memory.trials.tick(now: moment.now)
    giveTurns()
    return takeEffects()
  }

  // MARK: Steps

  mutating func raise(_ question: ChallengeQuestion, by task: SessionTask) {
    let raised = board.ask(question, by: task.waiter, now: moment.now)
    if raised.isEmpty { effects.append(.coalesced) }
    runBoard(raised)
  }

  /// The task sends again without asking, or has its result: the board ends its refused trial.
  mutating func goesOn(_ task: SessionTask) {
    runBoard(board.goesOn(task.identifier, now: moment.now))
  }

  /// The task no longer waits or tries.
  mutating func left(_ task: SessionTask) {
    runBoard(board.leave(task.identifier, now: moment.now))
    memory.turns.leave(task.identifier)
    memory.trials.leave(task.identifier)
    memory.bound.end(task.identifier)
    giveTurns()
  }

  /// A server has judged a credential on trial, or said nothing about it.
  mutating func judged(_ report: AuthenticationStateMachine.TrialReport, of task: SessionTask) {
    switch report {
    // What a running exchange has shown is not kept while the agent is locked.
    case .accepted where isLocked, .acceptedFromURL where isLocked, .acceptedPermanent where isLocked: break
    case .accepted(let credential, let space, let authenticator, let scope):
      if credential.persistence != .none {
        // The limit `confirm` depends on the process that gave the credential, not on the task that tried it
        // first.
        let owner = board.answerer(ofTrialBy: task.identifier).flatMap(surroundings.process)
        var own = credential
        if own.persistence.isOfAccount { own.persistence = .forSession }
        let key = memory.store(
          own, for: space, authenticator: authenticator, scope: scope, over: chosenWays(to: space, by: task),
          owner: owner, now: moment.now)
        board.sources.note(credential, in: space, owner: owner, wallClock: moment.wallClock)
        announceCredentialChanges()
        if credential.persistence.isOfAccount { keep(credential, storedAt: key, by: task) }
      }
      runBoard(board.accepted(task.identifier, now: moment.now))
    case .acceptedFromURL(let credential, let space, let authenticator, let scope):
      memory.store(
        credential, for: space, authenticator: authenticator, scope: scope, isDefault: false, isFromURL: true,
        over: chosenWays(to: space, by: task), owner: task.process, now: moment.now)
      announceCredentialChanges()
    case .acceptedPermanent(let number, let credential, let space, let authenticator, let scope):
      memory.storeCopy(
        of: number, credential, for: space, authenticator: authenticator, scope: scope, now: moment.now)
      announceCredentialChanges()
    case .refused(let kind): board.refused(kind, to: task.identifier)
    case .inconclusive: runBoard(board.leave(task.identifier, now: moment.now))
    }
  }

  mutating func runBoard(_ new: [ChallengeBoard.Effect]) {
    boardEffects += new
    guard !isCarryingOut, !boardEffects.isEmpty else { return }
    isCarryingOut = true
    while nextBoardEffect < boardEffects.count {
      let effect = boardEffects[nextBoardEffect]
      nextBoardEffect += 1
      run(effect)
    }
    boardEffects.removeAll(keepingCapacity: boardEffects.count <= 64)
    nextBoardEffect = 0
    isCarryingOut = false
    giveTurns()
  }

  private mutating func run(_ effect: ChallengeBoard.Effect) {
    switch effect {
    case .notify(let peer, let identifier):
      guard let challenge = board.challenge(identifier) else { return }
      noteAsked(peer, challenge)
      effects.append(.notify(peer, challenge))
    case .settled(let identifier, let outcome, let disposition, let asked):
      recordEnd(of: identifier, outcome, disposition)
      effects.append(.settled(challenge: identifier, outcome, disposition, asked: asked))
    case .decided(let decision):
      keep(decision)
    case .readSource(let name, let identifier): readSource(name, for: identifier)
    case .stopReading(let identifier): effects.append(.stopReading(challenge: identifier))
    case .resume(let identifier, let verdict): follow(.answer(identifier, verdict))
    case .askAnother(let identifier): follow(.askAnother(about: identifier))
    }
  }
}
