package import WatchwordVocabulary

/// Server trust: verdicts for handshakes, and the decisions about chains (challenges.md 10).
extension SessionState {
  /// Whether the session uses permanent decisions and may add to them; an ephemeral session does neither.
  package var usesSharedStorage: Bool {
    switch configuration.credentialStorage {
    case .shared: true
    case .private: false
    }
  }

  /// Decides how a handshake continues in which the server has shown this chain.
  ///
  /// - Parameters:
  ///   - faults: the faults that default evaluation found.
  ///   - permanent: the decisions of the session's account.
  package mutating func ruling(
    on presented: PresentedChain, with faults: [TrustFault], from origin: Origin,
    at hop: Hop, in partition: ConnectionPartition,
    permanent: inout PermanentTrust
  ) -> TrustStore.Ruling {
    let root = userRoots.root(endOf: presented)
    var faults = faults
    if root != nil, let fault = fault(ofRootOf: presented, from: origin) {
      faults.append(fault)
    }
    if faults.isEmpty { note(root, endOfChainFrom: origin) }
    let rules = ChainRules(pins: configuration.tls.pins, policy: moment.policy)
    var findings = rules.findings(on: presented, with: faults, from: origin.host, at: hop)
    guard findings.isExcusable else { return .refuse(findings.faults) }
    if findings.hasReportedPin { effects.append(.warnOfPin(origin)) }
    let isFixed =
      moment.policy.ruleAgainstLoosening(for: origin.host) != nil || ruleAgainstLoosening(for: origin) != nil
    if isFixed && hasCallersRoots(for: origin) {
      findings.faults.append(TrustFault(reason: .policy, depth: 0))
    }
    if isFixed && !findings.faults.isEmpty { return .ask(findings.faults) }
    guard usesSharedStorage else {
      return trust.ruling(on: presented, with: findings.faults, from: origin, in: partition, now: moment.now)
    }
    return trust.ruling(
      on: presented, with: findings.faults, from: origin, in: partition, before: &permanent,
      under: moment.policy,
      now: moment.now, wallClock: moment.wallClock)
  }

  /// The administrator's rule that forbids accepting the chain of this challenge; nil when none does.
  package func ruleAgainstTrust(in challenge: String) -> String? {
    guard let space = board.challenge(challenge)?.question.space, let shown = space.serverTrust,
      !shown.isTrusted
    else { return nil }
    let host = space.origin.host
    return moment.policy.ruleBroken(by: shown.presented, with: shown.faults, from: host)
      ?? moment.policy.ruleAgainstLoosening(for: host) ?? ruleAgainstLoosening(for: space.origin)
  }

  /// Forgets the session's own decisions; nil stands for any. No connection that depends on them is used
  /// again.
  ///
  /// - Returns: How many were removed.
  package mutating func removeTrust(identifier: UInt64?, origin: Origin?) -> (Int, [SessionEffect]) {
    let removed = trust.remove(identifier: identifier, origin: origin)
    if removed > 0 { effects.append(.closeConnections(because: .somethingIsGone)) }
    return (removed, takeEffects())
  }

  /// A permanent decision of the account was removed: no connection that may depend on it is used again.
  package mutating func permanentTrustRemoved() -> [SessionEffect] {
    if usesSharedStorage { effects.append(.closeConnections(because: .somethingIsGone)) }
    return takeEffects()
  }

  /// Forgets what its limits have ended, before it is listed.
  package mutating func forgetExpiredTrust() -> [SessionEffect] {
    removeExpiredTrust()
    return takeEffects()
  }

  // MARK: Steps

  /// A handshake in progress is not interrupted: it may be the last use.
  mutating func removeExpiredTrust() {
    guard trust.removeExpired(now: moment.now, wallClock: moment.wallClock) else { return }
    effects.append(.closeConnections(because: .somethingIsNew))
  }

  /// Stores a decision before the tasks that it serves start their handshakes again.
  mutating func keep(_ decision: HandshakeDecision) {
    let space = decision.space
    if let request = space.certificateRequest { return keepIdentity(decision, for: request) }
    guard let serverTrust = space.serverTrust else { return }
    let kept: TrustDecision
    switch decision.credential?.kind {
    case .trust(let scope): kept = TrustDecision(serverTrust, for: space.origin, scope: scope)
    case nil where serverTrust.isTrusted: kept = TrustDecision(serverTrust, for: space.origin)
    case nil, .password, .token, .identity, .kerberos: return
    }
    // A permanent decision is on the disk, and applies to this session as to the others.
    if decision.credential?.persistence == .permanent { return }
    let limits = decision.credential?.limits ?? CredentialLimits()
    if decision.isForSession {
      let isAnotherGone = trust.record(kept, about: serverTrust, limits: limits, now: moment.now)
      if isAnotherGone { effects.append(.closeConnections(because: .somethingIsGone)) }
    } else {
      close(trust.grant(kept, limits: limits, now: moment.now, to: decision.tasks))
    }
  }

  mutating func close(_ partitions: [ConnectionPartition]) {
    for partition in partitions { effects.append(.closeConnections(because: .partitionIsOver(partition))) }
  }

  mutating func close(_ grounds: [ConnectionPartition.Ground]) {
    for ground in grounds { effects.append(.closeConnections(because: .groundIsOver(ground))) }
  }
}
