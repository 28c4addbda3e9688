internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordProtocol
internal import WatchwordTransport
internal import WatchwordVocabulary

/// Client identities: the session's state knows them, this has their keys.
extension SessionDriver {
  /// - Parameter origin: the only one that it is for.
  func add(_ identity: ClientIdentity, for origin: Origin? = nil, limits: CredentialLimits) throws(RPCError) {
    // It was read meanwhile.
    guard !isLocked else { throw .agentLocked }
    guard hasRoom(for: identity.identity.heldBytes) else { throw .overBudget }
    guard feed({ $0.add(identity.identity, for: origin, limits: limits) }) else {
      throw .limitExceeded("more than \(IdentityStore.capacity) identities", limit: "identitiesPerSession")
    }
    keys.store(identity)
  }

  /// Lends a key to the tasks for which `answer` lets it be presented.
  func lend<Fault: Error>(_ identity: ClientIdentity, to answer: () throws(Fault) -> Void) throws(Fault) {
    keys.lend(identity)
    defer { releaseLentKeys() }
    try answer()
  }

  func releaseLentKeys() {
    keys.releaseLent { state.trust.grants.mentions(identity: $0) }
  }

  /// An identity that a reply names: the session's own, or the account's. What is permanent for this origin
  /// already need not be kept once more.
  func identity(
    named identifier: String, for origin: Origin
  ) -> (identity: Identity, record: UseRecord, isPermanent: Bool)? {
    let own = currentIdentities.first { $0.identity.identifier == identifier }
    let kept = account?.identities.all.filter { $0.identifier == identifier } ?? []
    if let serving = kept.first(where: { $0.origin == nil || $0.origin == origin }) {
      return (serving.identity, serving.record, true)
    }
    if let own { return (own.identity, own.record, false) }
    return kept.first.map { ($0.identity, $0.record, false) }
  }

  /// Its own, or the account's.
  func key(of identifier: String) -> ClientIdentity? { keys[identifier] ?? account?.identityKeys[identifier] }

  func removeIdentities(_ identifier: String?) -> Int {
    feed { $0.removeIdentities(identifier) }
  }

  /// The identities that are there now.
  var currentIdentities: [IdentityStore.SessionIdentity] {
    feed { $0.forgetExpiredIdentities() }
    return state.identities.all
  }
}

/// The keys of a session's identities; the session's state knows them by the ids of the identities.
struct IdentityKeys {
  private var stored: [String: ClientIdentity] = [:]
  /// Keys that came for the waiting tasks only.
  private var lent: [String: ClientIdentity] = [:]

  subscript(_ identifier: String) -> ClientIdentity? { lent[identifier] ?? stored[identifier] }

  func isLent(_ identifier: String) -> Bool { lent[identifier] != nil }

  mutating func store(_ identity: ClientIdentity) { stored[identity.identity.identifier] = identity }

  /// Keeps a key for as long as a task may present it, and no longer.
  mutating func lend(_ identity: ClientIdentity) { lent[identity.identity.identifier] = identity }

  mutating func release(_ identifiers: [String]) {
    for identifier in identifiers { stored[identifier] = nil }
  }

  mutating func releaseLent(unless isNeeded: (String) -> Bool) {
    lent = lent.filter { isNeeded($0.key) }
  }

  mutating func releaseAll() {
    stored = [:]
    lent = [:]
  }
}

/// What the transport asks in the middle of a handshake.
extension SessionDriver: HandshakeJudge {
  func requirements(for origin: Origin) -> TrustPolicy.Requirements {
    policy.requirements(for: origin.host)
  }

  func ruling(
    on presented: PresentedChain, with faults: [TrustFault], from origin: Origin,
    at hop: Hop, in partition: ConnectionPartition
  ) -> TrustStore.Ruling {
    guard let account else {
      var none = PermanentTrust()
      return ruling(on: presented, with: faults, from: origin, at: hop, in: partition, permanent: &none)
    }
    return ruling(
      on: presented, with: faults, from: origin, at: hop, in: partition, permanent: &account.trust)
  }

  private func ruling(
    on presented: PresentedChain, with faults: [TrustFault], from origin: Origin,
    at hop: Hop, in partition: ConnectionPartition, permanent: inout PermanentTrust
  ) -> TrustStore.Ruling {
    ask {
      $0.ruling(on: presented, with: faults, from: origin, at: hop, in: partition, permanent: &permanent)
    }
  }

  func ruling(
    on request: CertificateRequest, from origin: Origin, in partition: ConnectionPartition, isAsked: Bool
  ) -> IdentityRuling {
    catchUp()
    let keys = keys
    let ruling = ask {
      $0.ruling(on: request, from: origin, in: partition, isLent: keys.isLent, isAsked: isAsked)
    }
    switch ruling {
    case .present(let identity): return key(of: identity).map { .present($0) } ?? .presentNone
    case .presentNone: return .presentNone
    case .ask: return .ask
    }
  }

  func mayStillPresent(_ identity: String) -> Bool {
    catchUp()
    return keys.isLent(identity) || ask { $0.mayStillPresent(identity) }
  }

  func refused(
    _ identity: String, for request: CertificateRequest, from origin: Origin,
    in partition: ConnectionPartition
  ) {
    ask { $0.refused(identity, for: request, from: origin, in: partition) }
  }
}
