package import WatchwordVocabulary

/// Client identities: which the session has and which it presents. The driver holds the keys by identifier.
extension SessionState {
  /// - Parameter origin: the only origin that may see it; nil for any.
  /// - Returns: Whether there was room.
  package mutating func add(
    _ identity: Identity, for origin: Origin? = nil, limits: CredentialLimits
  ) -> (isAdded: Bool, [SessionEffect]) {
    removeExpiredIdentities()
    let isAdded = identities.add(identity, for: origin, limits: limits, now: moment.now)
    if isAdded { effects.append(.closeConnections(because: .somethingIsNew)) }
    return (isAdded, takeEffects())
  }

  /// Forgets one identity or all; no connection that depends on them is used again.
  ///
  /// - Returns: How many were removed.
  package mutating func removeIdentities(_ identifier: String?) -> (Int, [SessionEffect]) {
    let unwanted = identities.all.map(\.identity.identifier).filter { identifier == nil || $0 == identifier }
    remove(unwanted)
    if !unwanted.isEmpty { effects.append(.closeConnections(because: .somethingIsGone)) }
    return (unwanted.count, takeEffects())
  }

  /// Limits are checked on listing as well as on use.
  package mutating func forgetExpiredIdentities() -> [SessionEffect] {
    removeExpiredIdentities()
    return takeEffects()
  }

  /// The account's permanent identities have changed: connections may depend on one that is gone, and the
  /// holders are told (challenges.md 11.16).
  package mutating func permanentIdentitiesChanged(_ changes: [PermanentIdentityChange]) -> [SessionEffect] {
    let isGone = changes.contains { $0.change != .added }
    identities.forgetDecisions(about: changes.map(\.identifier))
    effects.append(.closeConnections(because: isGone ? .somethingIsGone : .somethingIsNew))
    let peers = board.roster.entitled
    if changes.count > SessionMemory.changesTold {
      effects.append(.announceMany(changes.count, to: peers))
    } else {
      effects += changes.map { .announceIdentity($0, to: peers) }
    }
    return takeEffects()
  }

  /// The account's permanent identities are in memory again: what is open was opened without them.
  package mutating func permanentIdentitiesRead() -> [SessionEffect] {
    effects.append(.closeConnections(because: .somethingIsNew))
    return takeEffects()
  }

  /// Ids of the matching identities, default handling's choice first; nil when no client certificate is
  /// requested.
  package func identitiesThatFit(_ question: ChallengeQuestion) -> [String]? {
    question.space.certificateRequest.map { request in
      identities.fitting(
        request, from: question.space.origin, over: handshakeWays(to: question.space.origin), now: moment.now,
        wallClock: moment.wallClock
      ).map(\.identifier)
    }
  }

  /// Identities that may be presented to an origin; the choice depends on its CertificateRequest.
  package func identitiesUsable(at origin: Origin) -> [String] {
    identities.usable(
      at: origin, over: handshakeWays(to: origin), now: moment.now, wallClock: moment.wallClock
    ).map(\.identifier)
  }

  /// The callers' ways over which an identity for this origin is given now.
  package func callersWays(ofIdentityFor origin: Origin) -> [CallersWay] {
    memory.ways.ways(to: origin, in: nil)
  }

  private func handshakeWays(to origin: Origin, in partition: ConnectionPartition? = nil) -> [CallersWay] {
    identities.permanent.count > 0 ? memory.ways.ways(to: origin, in: partition) : []
  }

  // MARK: Handshakes

  /// Decides how a handshake continues in which the server requests a client certificate.
  ///
  /// - Parameters:
  ///   - isLent: whether the driver has this key for as long as a task may present it.
  ///   - isAsked: whether a delegate can be asked for one of the exchanges that the connection may serve.
  package mutating func ruling(
    on request: CertificateRequest, from origin: Origin, in partition: ConnectionPartition,
    isLent: (String) -> Bool, isAsked: Bool
  ) -> IdentityOrder {
    identities.note(asking: origin)
    let granted = trust.grants.grant(of: partition)?.identities.first { $0.request == request }?.choice
    if case .identity(let identifier) = granted, isLent(identifier) {
      recordIdentity(identifier, .presented, at: origin)
      return .present(identifier)
    }
    let ruling = identities.ruling(
      on: request, from: origin, granted: granted, over: handshakeWays(to: origin, in: partition),
      isAsked: isAsked, now: moment.now,
      wallClock: moment.wallClock)
    switch ruling {
    case .present(let identity):
      recordIdentity(identity.identifier, .presented, at: origin)
      return .present(identity.identifier)
    case .presentNone: return .presentNone
    case .ask: return .ask
    }
  }

  package enum IdentityOrder: Sendable, Equatable {
    case present(String)
    case presentNone
    /// The handshake stops, and a delegate is asked.
    case ask
  }

  package func mayStillPresent(_ identity: String) -> Bool {
    identities.isUsable(identity, now: moment.now, wallClock: moment.wallClock)
  }

  /// The server has refused this identity.
  package mutating func refused(
    _ identity: String, for request: CertificateRequest, from origin: Origin,
    in partition: ConnectionPartition
  ) {
    recordIdentity(identity, .refused, at: origin)
    identities.forgetDecision(for: request, from: origin, if: .identity(identity))
    trust.forgetGranted(request, in: partition)
  }

  // MARK: Steps

  /// Stores a decision before the tasks that it serves start their handshakes again.
  mutating func keepIdentity(_ decision: HandshakeDecision, for request: CertificateRequest) {
    let choice: IdentityChoice
    switch decision.credential?.kind {
    case .identity(let identity): choice = .identity(identity.identifier)
    case nil: choice = decision.isDefault ? .default : .none
    case .password, .token, .trust, .kerberos: return
    }
    let origin = decision.space.origin
    if decision.isForSession {
      identities.decide(choice, for: request, from: origin)
      // Open connections to this origin were opened under another decision.
      effects.append(.closeConnections(because: .somethingIsNew))
    } else {
      let kept = IdentityStore.Decision(request: request, choice: choice)
      close(trust.grant(kept, for: origin, to: decision.tasks))
    }
    effects.append(.releaseLentKeys)
  }

  /// A handshake in progress is not interrupted: it may be the last use, and is judged when it presents the
  /// identity.
  mutating func removeExpiredIdentities() {
    let isPermanentOver = identities.dropExpiredPermanent(now: moment.now, wallClock: moment.wallClock)
    let over = identities.count > 0 ? identities.over(now: moment.now, wallClock: moment.wallClock) : []
    guard !over.isEmpty || isPermanentOver else { return }
    remove(over)
    effects.append(.closeConnections(because: .somethingIsNew))
  }

  private mutating func remove(_ unwanted: [String]) {
    for identifier in unwanted { _ = identities.remove(identifier) }
    if !unwanted.isEmpty { effects.append(.releaseKeys(unwanted)) }
  }
}
