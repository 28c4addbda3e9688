internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordProtocol
internal import WatchwordTransport
internal import WatchwordVocabulary

/// Client identities: the session's state knows them, this has their keys.
extension Session {
  /// - Parameter origin: the only one that it is for.
  func add(
    _ identity: ClientIdentity, for origin: Origin? = nil, limits: CredentialLimits
  ) throws(RPCError) {
    // It was read meanwhile.
    guard !isLocked else { throw .agentLocked }
    guard hasRoom(for: identity.identity.heldBytes) else { throw .overBudget }
    guard take({ $0.add(identity.identity, for: origin, limits: limits, at: $1) }) else {
      throw RPCError(
        .limitExceeded, "more than \(IdentityStore.capacity) identities",
        details: ["limit": .string("identitiesPerSession")])
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

  /// An identity that a reply names: the session's own, or the account's. What is permanent for this origin already need
  /// not be kept once more.
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
    take { state, _ in state.removeIdentities(identifier) }
  }

  /// The identities that are there now.
  var currentIdentities: [IdentityStore.Entry] {
    take { $0.forgetExpiredIdentities(at: $1) }
    return state.identities.all
  }
}
