internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordTransport

/// Client identities: what the session has, and what servers are shown.
extension Session {
  /// - Parameter origin: the only one that it is for.
  func add(_ identity: ClientIdentity, for origin: Origin? = nil) throws(RPCError) {
    guard identities.add(identity.identity, for: origin, now: now) else {
      throw RPCError(
        .limitExceeded, "more than \(IdentityLedger.capacity) identities",
        details: ["limit": .string("identitiesPerSession")])
    }
    keys[identity.identity.identifier] = identity
    // What is open was opened without it.
    engine.closeIdleConnections()
  }

  /// Forgets one identity or all, with their keys; no connection that rests on them is used again.
  func removeIdentities(_ identifier: String?) -> Int {
    let unwanted = identities.all.map(\.identity.identifier).filter { identifier == nil || $0 == identifier }
    for identifier in unwanted {
      _ = identities.remove(identifier)
      keys[identifier] = nil
    }
    if !unwanted.isEmpty { engine.closeIdleConnections() }
    return unwanted.count
  }
}
