package import WatchwordVocabulary

/// What a session keeps for itself, as a daemon gives it to the one that follows it (messages.md 11.12).
///
/// Not what belongs to its tasks or connections, which end; nor copies of what the account keeps for good.
package struct SessionContents: Sendable {
  package struct KeptCredential: Sendable {
    package let entry: CachedCredential
    /// Of the same name in ``CachedCredential``, like the next one.
    package let wasGivenForSpace: Bool
    package let isFromURL: Bool

    package init(_ entry: CachedCredential, wasGivenForSpace: Bool, isFromURL: Bool) {
      self.entry = entry
      self.wasGivenForSpace = wasGivenForSpace
      self.isFromURL = isFromURL
    }
  }

  package struct HeldIdentity: Sendable {
    package let identity: Identity
    /// The only origin that may see it; nil: any.
    package let origin: Origin?
    package let record: UseRecord

    package init(_ identity: Identity, for origin: Origin?, record: UseRecord) {
      self.identity = identity
      self.origin = origin
      self.record = record
    }
  }

  /// What is presented to an origin.
  package struct IdentityDecision: Sendable {
    package let origin: Origin
    package let decision: IdentityStore.Decision

    package init(_ decision: IdentityStore.Decision, for origin: Origin) {
      self.origin = origin
      self.decision = decision
    }
  }

  /// In the order in which they were stored.
  package var credentials: [KeptCredential] = []
  package var trust: [TrustStore.SessionDecision] = []
  /// In the order in which they were added.
  package var identities: [HeldIdentity] = []
  package var decisions: [IdentityDecision] = []

  package init() {}
}

extension SessionState {
  package var contents: SessionContents {
    var contents = SessionContents()
    contents.credentials = memory.all.filter { $0.permanentNumber == nil }.map {
      SessionContents.KeptCredential($0, wasGivenForSpace: $0.wasGivenForSpace, isFromURL: $0.isFromURL)
    }
    contents.trust = trust.all
    contents.identities = identities.all.reversed().map {
      SessionContents.HeldIdentity($0.identity, for: $0.origin, record: $0.record)
    }
    contents.decisions = identities.allDecisions.map {
      SessionContents.IdentityDecision($0.decision, for: $0.origin)
    }
    return contents
  }

  /// Keeps what this session had in the previous daemon. No connection holds it yet.
  package mutating func takeOver(_ contents: SessionContents) {
    for kept in contents.credentials { memory.takeOver(kept) }
    _ = memory.takeChanges()
    for entry in contents.trust { trust.takeOver(entry) }
    for kept in contents.identities { identities.takeOver(kept.identity, for: kept.origin, kept.record) }
    for kept in contents.decisions {
      identities.note(asking: kept.origin)
      identities.decide(kept.decision.choice, for: kept.decision.request, from: kept.origin)
    }
  }
}

extension SessionMemory {
  /// What a server has accepted is tried once more before it is sent unasked: its scopes were not kept.
  func takeOver(_ kept: SessionContents.KeptCredential) {
    let given = kept.entry
    var credential = given.credential
    credential.persistence = .forSession
    var entry = CachedCredential(
      generation: nextGeneration(), space: given.space, credential: credential, isDefault: false,
      record: given.record, owner: nil, wasGivenForSpace: kept.wasGivenForSpace)
    entry.isFromURL = kept.isFromURL
    table.insert(entry, at: entry.key)
    if given.isDefault { setDefault(entry.key) }
  }
}
