package import WatchwordVocabulary

/// Events of the session's tasks.
extension SessionState {
  /// Takes a task, which does nothing before `begin`.
  package mutating func add(_ request: TaskRequest) -> SessionTask {
    var redirects = configuration.redirects
    if !request.followsRedirects { redirects.mode = .manual }
    let restriction = request.peer.flatMap(board.roster.restriction)
    if let limit = request.redirectLimit {
      // Whoever restricts a connection chooses its session, and with it how far its tasks may be led.
      redirects.limit = restriction == nil ? limit : min(limit, redirects.limit)
    }
    // A restricted connection is not asked; its rules say which redirects are followed.
    if restriction != nil, redirects.mode == .ask { redirects.mode = .follow }
    let task = SessionTask(
      request, restriction: restriction, firstStep: completed(request.firstStep),
      authentication: authentication,
      redirects: redirects, proxies: rules(of: request.proxies),
      surroundings: TaskStateMachine.Surroundings(
        task: request.identifier, process: request.process,
        canAsk: board.canAsk(for: ChallengeWaiter(task: request.identifier, peer: request.peer)),
        body: request.bodyDigest, resolve: surroundings.resolve, forms: forms))
    tasks[task.identifier] = task
    if let restriction { restrictions[restriction]?.tasks += 1 }
    return task
  }

  /// Something has happened to a task. What the session itself leads to comes by `follow`: answers, turns,
  /// and the end of the lock.
  package mutating func handle(_ event: TaskEvent, of task: SessionTask) -> [SessionEffect] {
    if let effects = intercept(event, of: task) { return effects }
    let new = task.machine.handle(event, context(of: task))
    if task.isSuspended { task.machine.suspended(memory) }
    carryOut(new, for: task)
    // The body may take long: tasks that wait for the outcome of a trial are told now.
    if case .receiving(.finish) = task.machine.phase { goesOn(task) }
    return finishedEvent()
  }

  /// Deals with an event that the task's machine must not have; nil: the machine takes it.
  private mutating func intercept(_ event: TaskEvent, of task: SessionTask) -> [SessionEffect]? {
    switch event {
    case .begin:
      // Its connection may have closed meanwhile.
      if task.machine.phase == .finished { effects.append(.task(task.identifier, .stop(.cancelled))) }
      if let fault = restrictionFault(of: task) {
        return fail(task, .restricted(fault))
      }
      guard isLocked, task.machine.phase == .ready else { return nil }
      hold(task, isWaiting: false)
      return finishedEvent()
    case .received(let head):
      guard let fault = restrictionFault(ofRedirect: head, of: task) else { return nil }
      effects.append(.task(task.identifier, .body(.discard)))
      return fail(task, .restricted(fault))
    case .exchangeEnded where task.isSuspended:
      task.pendingEnd = event
      return []
    case .redirectAnswered:
      guard case .askingRedirect = task.machine.phase else { return [] }
      effects.append(.task(task.identifier, .endWait))
      return nil
    case .bodyRead, .negotiated, .turnCame, .takenBack, .tunnelOpened, .pageRead, .exchangeEnded, .answered,
      .unlocked:
      return nil
    }
  }

  /// Bytes of the request's body have been given to a connection.
  package func bodyBegan(of task: SessionTask) { task.hasBodyBegun = true }

  /// The request is about to be written to its connection. Returns its `Authorization` value if that is made
  /// only now.
  ///
  /// This has no effects before the next event.
  package mutating func authorization(of task: SessionTask, over connection: UInt64? = nil) -> Secret? {
    task.machine.authorization(over: connection, context(of: task))
  }

  /// The same moment: the keys that it carries in fields of their own.
  package mutating func keyFields(of task: SessionTask) -> [HeaderField] {
    task.machine.keyFields(context(of: task))
  }

  /// The same when a tunnel through a proxy is about to be opened, or a request is written to a proxy: its
  /// `Proxy-Authorization` value.
  package mutating func proxyAuthorization(of task: SessionTask) -> Secret? {
    task.machine.proxyAuthorization(context(of: task))
  }

  package mutating func suspend(_ task: SessionTask) -> [SessionEffect] {
    task.isSuspended = true
    task.machine.suspended(memory)
    return finishedEvent()
  }

  package mutating func resume(_ task: SessionTask) -> [SessionEffect] {
    task.isSuspended = false
    if let request = task.pendingRequest.take(), case .exchanging = task.machine.phase {
      send(request, for: task)
      return finishedEvent()
    }
    return task.pendingEnd.take().map { handle($0, of: task) } ?? []
  }

  /// Stops the task from outside, whatever it is doing. The driver decides what happens to its output.
  package mutating func stop(_ task: SessionTask, _ failure: TaskFailure) -> [SessionEffect] {
    if case .restricted(let fault) = failure, let restriction = task.restriction {
      note(fault, against: restriction, by: task.process)
    }
    if !task.machine.stop(failure).isEmpty { left(task) }
    return finishedEvent()
  }

  /// The task has its outcome, and its output is written.
  package mutating func remove(_ task: SessionTask) -> [SessionEffect] {
    tasks[task.identifier] = nil
    if let restriction = task.restriction { restrictions[restriction]?.tasks -= 1 }
    memory.bound.end(task.identifier)
    board.sources.ended(task.identifier)
    giveTurns()
    let grounds = trust.ended(task.identifier)
    close(grounds)
    if !grounds.isEmpty { effects.append(.releaseLentKeys) }
    return takeEffects()
  }

  // MARK: Steps

  private mutating func fail(_ task: SessionTask, _ failure: TaskFailure) -> [SessionEffect] {
    carryOut(task.machine.stop(failure), for: task)
    return finishedEvent()
  }

  mutating func end(_ task: SessionTask, _ failure: TaskFailure) {
    if !task.machine.stop(failure).isEmpty { left(task) }
    effects.append(.task(task.identifier, .stop(failure)))
  }

  func context(of task: SessionTask) -> TaskStateMachine.Context {
    TaskStateMachine.Context(
      task.surroundings, now: moment.now, wallClock: moment.wallClock, memory: memory)
  }

  private mutating func finishedEvent() -> [SessionEffect] {
    giveTurns()
    return takeEffects()
  }

  mutating func carryOut(_ new: [TaskStateMachine.Effect], for task: SessionTask) {
    recordVerdicts(on: task)
    for refused in memory.takeRefusedMarks() {
      noteRefusalToSources(of: refused.mark, in: refused.space)
    }
    announceCredentialChanges()
    let identifier = task.identifier
    for effect in new {
      switch effect {
      case .send(let request): send(request, for: task)
      case .ask(let question):
        effects.append(.task(identifier, .beginWait))
        if isLocked { hold(task, isWaiting: true) } else { raise(question, by: task) }
      case .report(let report): judged(report, of: task)
      case .warn(let weaker): effects.append(.warn(identifier, weaker))
      case .warnOfExchanges: effects.append(.warnOfExchanges(identifier))
      case .task(let effect):
        if case .askRedirect = effect { effects.append(.task(identifier, .beginWait)) }
        effects.append(.task(identifier, effect))
      case .finish(let failure):
        left(task)
        if task.keeping > 0 {
          task.heldOutcome = .some(failure)
        } else {
          effects.append(.task(identifier, .finish(failure)))
        }
      }
    }
  }

  private mutating func send(_ request: ExchangeRequest, for task: SessionTask) {
    goesOn(task)
    if task.isSuspended {
      task.pendingRequest = request
      return task.machine.suspended(memory)
    }
    if isLocked { return hold(task, isWaiting: false) }
    if let failure = refusal(of: request, of: task) {
      return carryOut(task.machine.stop(failure), for: task)
    }
    let origin = request.url.origin
    renewSources(at: origin)
    let partition = partition(for: task, to: origin, through: request.proxy)
    let isSecure = origin.isSecure || request.proxy?.proxy.origin.isSecure == true
    effects.append(
      .send(
        task.identifier, request, partition: partition,
        isAskedForIdentities: isSecure && isAskedForIdentities(task)))
  }

  /// Resumes the tasks whose requests waited for others and whose turn it is.
  mutating func giveTurns() {
    guard !isGivingTurns, memory.haveTurns else { return }
    isGivingTurns = true
    defer { isGivingTurns = false }
    while memory.haveTurns {
      giveConnections()
      for space in memory.turns.takeBegun() {
        for task in tasks.values where task.machine.sharesNonce(of: space) {
          effects.append(.task(task.identifier, .takeBack))
        }
      }
      for identifier in memory.turns.takeGranted() + memory.trials.takeGranted() {
        follow(.turn(identifier))
      }
    }
  }
}

extension SessionMemory {
  /// Whether tasks wait no longer for others.
  fileprivate var haveTurns: Bool { turns.hasNews || bound.hasNews || trials.hasNews }
}
