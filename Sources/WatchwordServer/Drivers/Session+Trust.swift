internal import WatchwordCore
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordTransport

/// Server trust: what handshakes are told, and what was decided about them.
extension Session: HandshakeJudge {
  func ruling(
    on presented: PresentedChain, with faults: [TrustFault], from origin: Origin, in lane: ConnectionLane
  ) -> TrustLedger.Ruling {
    let findings = rules.findings(on: presented, with: faults, from: origin.host)
    if findings.hasReportedPin {
      counters.pinsReported += 1
      environment.warn(ofPinFrom: origin, in: self)
    }
    let isFixed = policy.ruleAgainstLoosening(for: origin.host) != nil
    if isFixed && !findings.faults.isEmpty { return .ask(findings.faults) }
    guard usesSharedStorage else {
      return trust.ruling(on: presented, with: findings.faults, from: origin, in: lane, now: now)
    }
    return environment.permanentTrust.consult(uid) { permanent in
      trust.ruling(
        on: presented, with: findings.faults, from: origin, in: lane, before: &permanent, under: policy,
        now: now, wallClock: wallClock)
    }
  }

  /// Whether it goes by what is permanent, and may add to it; an ephemeral session does neither (challenges §7).
  var usesSharedStorage: Bool {
    switch configuration.credentialStorage {
    case .shared: true
    case .private: false
    }
  }

  func requirements(for origin: Origin) -> TrustPolicy.Requirements {
    policy.requirements(for: origin.host)
  }

  /// The administrator's.
  var policy: TrustPolicy { environment.policy }
  var rules: ChainRules { ChainRules(pins: configuration.tls.pins, policy: policy) }

  /// What is open now was judged by the administrator's rules before. A decision that they forbid does not come back
  /// with rules that would allow it.
  func policyChanged() {
    let policy = environment.policy
    _ = trust.remove { policy.forbids($0) }
    for task in tasks.values { task.policyChanged() }
    engine.closeIdleConnections(startingAnew: true)
  }

  /// The administrator's rule that forbids to accept the chain that this challenge shows; nil when there is none.
  func ruleAgainstTrust(in challenge: String) -> String? {
    guard let space = board.challenge(challenge)?.question.space, let shown = space.serverTrust,
      !shown.isTrusted
    else { return nil }
    let host = space.origin.host
    return policy.ruleBroken(by: shown.presented, with: shown.faults, from: host)
      ?? policy.ruleAgainstLoosening(for: host)
  }

  /// The connections that an exchange of this task with the origin may use.
  func lane(for task: FetchTask, to origin: Origin) -> ConnectionLane {
    guard origin.isSecure else { return .common }
    // What was opened with an identity that is over is not used any more.
    forgetIdentitiesThatAreOver()
    var lane = trust.lane(
      for: task.identifier, to: origin, isAsked: board.roster.seesEveryChain(of: task.waiter))
    lane.isAskedForIdentities = identities.hasAsked(origin) && isAskedForIdentities(task)
    return lane
  }

  /// Whether somebody takes the question which client certificate this task presents.
  func isAskedForIdentities(_ task: FetchTask) -> Bool {
    board.roster.takesIdentityQuestions(of: task.waiter)
  }

  /// Keeps a decision before those whom it serves start their handshakes again.
  func keep(_ decision: HandshakeDecision) {
    let space = decision.space
    if let request = space.certificateRequest { return keepIdentity(decision, for: request) }
    guard let serverTrust = space.serverTrust else { return }
    let kept: TrustDecision
    switch decision.credential?.kind {
    case .trust(let scope): kept = TrustDecision(serverTrust, for: space.origin, scope: scope)
    case nil where serverTrust.isTrusted: kept = TrustDecision(serverTrust, for: space.origin)
    case nil, .password, .token, .identity: return
    }
    if decision.credential?.persistence == .permanent {
      // It is on the disk, and counts for this session as for the others.
      return
    }
    if decision.isForSession {
      let isAnotherGone = trust.record(kept, about: serverTrust, now: now)
      if isAnotherGone { engine.closeIdleConnections(startingAnew: true) }
    } else {
      for lane in trust.grant(kept, to: decision.tasks) { engine.close(lane) }
    }
  }

  /// Every decision that it goes by, or those about one origin; its own first.
  func trustDescriptions(about origin: Origin? = nil) -> [TrustDescription] {
    let (now, wallClock) = (now, wallClock)
    let own = trust.all.filter { origin == nil || $0.decision.origin == origin }
      .map { TrustDescription($0, now: now, wallClock: wallClock) }
    guard usesSharedStorage else { return own }
    let permanent = environment.permanentTrust.decisions(of: uid)
    return own
      + permanent.all.filter { origin == nil || $0.decision.origin == origin }
      .map { TrustDescription($0, permanent.usage(of: $0)) }
  }

  /// Forgets decisions of its own; no connection that rests on them is used again.
  func removeTrust(identifier: UInt64?, origin: Origin?) -> Int {
    let removed = trust.remove(identifier: identifier, origin: origin)
    if removed > 0 { engine.closeIdleConnections(startingAnew: true) }
    return removed
  }

  /// The connections that were this task's own are closed.
  func closeLanes(of task: FetchTask) {
    let lanes = trust.ended(task.identifier)
    for lane in lanes { engine.close(lane) }
    if !lanes.isEmpty { forgetLentKeys() }
  }
}
