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
    guard !state.isLocked else { throw .agentLocked }
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

  func removeIdentities(_ identifier: String?) -> Int {
    take { state, _ in state.removeIdentities(identifier) }
  }

  /// The identities that are there now.
  var currentIdentities: [IdentityStore.Entry] {
    take { $0.forgetExpiredIdentities(at: $1) }
    return state.identities.all
  }
}
