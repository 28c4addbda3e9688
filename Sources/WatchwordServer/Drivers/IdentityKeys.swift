internal import WatchwordCore
internal import WatchwordTransport
internal import WatchwordVocabulary

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
