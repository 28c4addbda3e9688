internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordTransport

/// Client identities: what the session has, and what servers are shown.
extension Session {
  /// - Parameter origin: the only one that it is for.
  func add(
    _ identity: ClientIdentity, for origin: Origin? = nil, limits: CredentialLimits
  ) throws(RPCError) {
    forgetIdentitiesThatAreOver()
    guard identities.add(identity.identity, for: origin, limits: limits, now: now) else {
      throw RPCError(
        .limitExceeded, "more than \(IdentityLedger.capacity) identities",
        details: ["limit": .string("identitiesPerSession")])
    }
    keys[identity.identity.identifier] = identity
    // What is open was opened without it.
    engine.closeIdleConnections()
  }

  /// Keeps an identity for as long as a task may present it, and no longer.
  func lend(_ identity: ClientIdentity) { lentKeys[identity.identity.identifier] = identity }

  func forgetLentKeys() {
    lentKeys = lentKeys.filter { trust.grants.mentions(identity: $0.key) }
  }

  /// By their ids, the one that default handling takes first; nil when no client certificate is asked for.
  func identitiesThatFit(_ question: ChallengeQuestion) -> [String]? {
    question.space.certificateRequest.map { request in
      identities.fitting(request, from: question.space.origin, now: now, wallClock: wallClock)
        .map(\.identifier)
    }
  }

  /// Those that an origin could be presented with; which one depends on what it asks for.
  func identitiesUsable(at origin: Origin) -> [String] {
    identities.usable(at: origin, now: now, wallClock: wallClock).map(\.identifier)
  }

  // MARK: Handshakes

  func ruling(
    on request: CertificateRequest, from origin: Origin, in lane: ConnectionLane, isAsked: Bool
  ) -> IdentityRuling {
    identities.note(asking: origin)
    let granted = trust.grants.grant(of: lane)?.identities.first { $0.request == request }?.choice
    if case .identity(let identifier) = granted, let lent = lentKeys[identifier] { return .present(lent) }
    let ruling = identities.ruling(
      on: request, from: origin, granted: granted, isAsked: isAsked, now: now,
      wallClock: wallClock)
    switch ruling {
    case .present(let identity): return keys[identity.identifier].map { .present($0) } ?? .presentNone
    case .presentNone: return .presentNone
    case .ask: return .ask
    }
  }

  func mayStillPresent(_ identity: String) -> Bool {
    lentKeys[identity] != nil || identities.isUsable(identity, now: now, wallClock: wallClock)
  }

  func refused(
    _ identity: String, for request: CertificateRequest, from origin: Origin, in lane: ConnectionLane
  ) {
    identities.forgetDecision(for: request, from: origin, if: .identity(identity))
    trust.forgetGranted(request, in: lane)
  }

  /// Keeps what was answered before those whom it serves start their handshakes again.
  func keepIdentity(_ decision: HandshakeDecision, for request: CertificateRequest) {
    let choice: IdentityChoice
    switch decision.credential?.kind {
    case .identity(let identity): choice = .identity(identity.identifier)
    case nil: choice = decision.isDefault ? .default : .none
    case .password, .token, .trust: return
    }
    let origin = decision.space.origin
    if decision.isForSession {
      identities.decide(choice, for: request, from: origin)
      // What is open to this origin was opened under something else.
      engine.closeIdleConnections()
    } else {
      let kept = IdentityLedger.Decision(request: request, choice: choice)
      for lane in trust.grant(kept, for: origin, to: decision.tasks) { engine.close(lane) }
    }
    forgetLentKeys()
  }

  // MARK: Forgetting

  /// Forgets one identity or all, with their keys; no connection that rests on them is used again.
  func removeIdentities(_ identifier: String?) -> Int {
    let unwanted = identities.all.map(\.identity.identifier).filter { identifier == nil || $0 == identifier }
    forget(unwanted)
    if !unwanted.isEmpty { engine.closeIdleConnections(startingAnew: true) }
    return unwanted.count
  }

  /// Limits are checked on listing as well as on use. A handshake that has begun ends as it would: it may be the last
  /// use, and is judged when it comes to presenting.
  func forgetIdentitiesThatAreOver() {
    let over = identities.over(now: now, wallClock: wallClock)
    forget(over)
    if !over.isEmpty { engine.closeIdleConnections() }
  }

  private func forget(_ unwanted: [String]) {
    for identifier in unwanted {
      _ = identities.remove(identifier)
      keys[identifier] = nil
    }
  }
}
