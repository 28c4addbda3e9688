package import WatchwordVocabulary

/// Restricted connections: what they may fetch, and how that ends.
extension SessionState {
  /// From now on connections can be restricted by it.
  package mutating func add(_ restriction: Restriction, as identifier: RestrictionIdentifier) {
    restrictions[identifier] = restriction
  }

  /// The connection may only fetch by the restriction from now on, for good; its tasks end.
  package mutating func restrict(
    _ peer: PeerIdentifier, by identifier: RestrictionIdentifier
  ) -> [SessionEffect] {
    let ending = halt(.cancelled) { $0.peer == peer && !$0.request.isDetached }
    runBoard(board.restrict(peer, by: identifier, ending: ending.map(\.identifier), now: moment.now))
    drop(ending, .cancelled)
    return takeEffects()
  }

  /// The time of the restriction is over: its tasks end.
  package mutating func expire(_ identifier: RestrictionIdentifier) -> [SessionEffect] {
    let fault = RestrictionFault(.expired)
    let ending = halt(.restricted(fault)) { $0.restriction == identifier }
    runBoard(board.leave(ending.map(\.identifier), now: moment.now))
    drop(ending, .restricted(fault))
    return takeEffects()
  }

  /// No connection is restricted by it any more.
  package mutating func removeRestriction(_ identifier: RestrictionIdentifier) {
    restrictions[identifier] = nil
  }

  /// A restricted connection asked for what it may not have.
  package mutating func violated(
    _ identifier: RestrictionIdentifier, _ fault: RestrictionFault, by process: ProcessIdentifier?
  ) -> [SessionEffect] {
    note(fault, against: identifier, by: process)
    return takeEffects()
  }

  // MARK: Steps

  mutating func note(
    _ fault: RestrictionFault, against identifier: RestrictionIdentifier, by process: ProcessIdentifier?,
    _ traceContext: TraceContext? = nil
  ) {
    restrictions[identifier]?.note(fault, at: moment.wallClock)
    recordViolation(fault, of: identifier, by: process, traceContext)
  }

  /// Why the restriction of the task does not allow the request; nil when it does, or there is none.
  ///
  /// The same request again, for a credential or after a lost connection, is not another one.
  mutating func restrictionFault(of request: ExchangeRequest, of task: SessionTask) -> RestrictionFault? {
    // A tunnel is asked for on behalf of the request that is to go through it.
    if request.proxy?.tunnel == .requested { return restrictionFault(of: task) }
    return restrictionFault(of: request.method, request.url, sendsBody: request.sendsBody, of: task)
  }

  /// The same for the first request, before anything is done for it.
  mutating func restrictionFault(of task: SessionTask) -> RestrictionFault? {
    let step = task.machine.currentStep
    return restrictionFault(of: step.method, step.url, sendsBody: step.body != .none, of: task)
  }

  private mutating func restrictionFault(
    of method: String, _ url: RequestURL, sendsBody: Bool, of task: SessionTask
  ) -> RestrictionFault? {
    guard let identifier = task.restriction else { return nil }
    let fault: RestrictionFault
    do throws(RestrictionFault) {
      guard var restriction = restrictions[identifier], !restriction.isExpired(now: moment.now) else {
        throw RestrictionFault(.expired, to: url.origin)
      }
      // A key of the session is for the session to send (restricted.md 2.6.19).
      guard !RestrictedFields.replace(memory.keyFields(at: url.origin), task.addedFields) else {
        throw RestrictionFault(.field, to: url.origin)
      }
      if let permit = task.permit, permit.method == method, permit.url == url { return nil }
      defer { restrictions[identifier] = restriction }
      task.permit = try restriction.permit(
        method, url, fields: task.addedFields, bodyBytes: sendsBody ? task.request.bodyBytes : 0,
        now: moment.now)
      return nil
    } catch {
      fault = error
    }
    note(fault, against: identifier, by: task.process, task.request.traceContext)
    return fault
  }

  /// Why a response may not be seen: it leads to where the restriction does not, whether it is followed or
  /// not.
  mutating func restrictionFault(ofRedirect head: ResponseHead, of task: SessionTask) -> RestrictionFault? {
    guard let identifier = task.restriction, let restriction = restrictions[identifier] else { return nil }
    let fault: RestrictionFault?
    switch task.machine.widestDecision(head, surroundings.resolve) {
    case .notARedirect, .deliver: fault = nil
    case .follow(let request), .ask(let request):
      fault = restriction.refusal(of: request.method, request.url, fields: task.addedFields, now: moment.now)
    case .refuse: fault = RestrictionFault(.origin)
    }
    if let fault { note(fault, against: identifier, by: task.process) }
    return fault
  }
}
