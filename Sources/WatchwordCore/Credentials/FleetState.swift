/// What an account has to tell its fleet, and what it knows of the fleet's store (storage.md 9.12).
package struct FleetState: Sendable {
  /// Removals that the fleet does not know yet. With more, the store's states come back when it is read
  /// again.
  static let removalCapacity = PermanentCredentials.capacity

  private var removals: [CredentialKey: CachedCredential] = [:]
  private var removalKeys: [UInt64: CredentialKey] = [:]
  /// Numbers of what is to be written, the removals among them.
  private var pending = IndexedSet<UInt64>()
  /// Of these, what the store did not take: it is tried again after the store was read as a whole.
  private var held: Set<UInt64> = []
  /// The store's own numbers of the states that were reconciled; not kept on the disk.
  private var revisions: [CredentialKey: Int64] = [:]
  /// Versions that were sent to the store and not acknowledged: what is changed after that is on top of them.
  private var sent: [CredentialKey: Int64] = [:]
  /// What the fleet has behind a permanent credential of this host, which comes first.
  private var shadowed: Set<CredentialKey> = []
  /// Whether the store has to be read again: something of it was passed over, and is wanted now.
  package private(set) var needsReading = false

  package var pendingCount: Int { pending.elements.count + held.count }
  package var hasPending: Bool { !pending.isEmpty }

  func removal(of key: CredentialKey) -> CachedCredential? { removals[key] }
  func removal(numbered number: UInt64) -> CachedCredential? { removalKeys[number].flatMap { removals[$0] } }
  func revision(of key: CredentialKey) -> Int64? { revisions[key] }
  var nextPending: UInt64? { pending.first }
  func sentVersion(of key: CredentialKey) -> Int64? { sent[key] }

  /// The mark of a credential that is given on this host.
  func mark(given key: CredentialKey, after mark: SynchronizationMark?) -> SynchronizationMark {
    let version = mark?.version ?? removals[key]?.synchronization?.version ?? 0
    return SynchronizationMark(version: version, pending: .credential)
  }

  // MARK: Events

  /// The store is read as a whole from now on: what was known of it may be wrong.
  package mutating func readingBegins() {
    revisions = [:]
    shadowed = []
    needsReading = false
    release()
  }

  /// What the store did not take is tried again.
  package mutating func release() {
    for number in held { pending.append(number) }
    held = []
  }

  /// It is sent now, and what becomes of it may never be known.
  mutating func noteSent(_ key: CredentialKey, _ version: Int64) { sent[key] = version }

  /// The store did not take it.
  package mutating func hold(_ outgoing: OutgoingCredential) {
    let number = outgoing.entry.generation
    guard pending.contains(number) else { return }
    pending.remove(number)
    held.insert(number)
  }

  /// The state of a credential that is kept.
  mutating func note(_ entry: CachedCredential) {
    guard let mark = entry.synchronization, mark.pending != .nothing else { return forget(entry.generation) }
    held.remove(entry.generation)
    pending.append(entry.generation)
  }

  mutating func noteRemoval(_ entry: CachedCredential, at key: CredentialKey) {
    if let older = removals[key] { forget(older.generation) }
    guard removals.count < Self.removalCapacity else { return }
    removals[key] = entry
    removalKeys[entry.generation] = key
    pending.append(entry.generation)
  }

  /// There is no record of this number any more, or nothing to be told of it.
  mutating func forget(_ number: UInt64) {
    pending.remove(number)
    held.remove(number)
    if let key = removalKeys.removeValue(forKey: number) { removals[key] = nil }
  }

  mutating func note(_ plan: PermanentCredentials.Plan, removing gone: Set<CredentialKey>) {
    for (key, revision) in plan.revisions {
      revisions[key] = revision
      sent[key] = nil
    }
    shadowed.formUnion(plan.shadowed)
    for key in gone where shadowed.remove(key) != nil { needsReading = true }
  }
}

/// The state of one synchronizable credential in the fleet's store, as a host has read it.
package struct FleetCredential: Sendable, Equatable {
  package enum Content: Sendable, Equatable {
    case credential(ImportedCredential)
    case removed
    /// Its time is over, by its own limits.
    case over
    /// The store has nothing.
    case absent
  }

  package let key: CredentialKey
  /// 0 for `absent`.
  package let version: Int64
  /// The store's own number of the last change, which a transaction compares; 0 for `absent`.
  package let revision: Int64
  package let content: Content

  package init(key: CredentialKey, version: Int64, revision: Int64, _ content: Content) {
    self.key = key
    self.version = version
    self.revision = revision
    self.content = content
  }
}

/// What a host writes into the fleet's store.
package struct OutgoingCredential: Sendable, Equatable {
  /// As it is when it is sent. One whose mark says `removal` has an empty secret.
  package let entry: CachedCredential
  package let version: Int64
  /// What the store has if no other host was faster; 0: nothing.
  package let revision: Int64

  /// Whether the same record is written with the same version.
  package static func == (left: OutgoingCredential, right: OutgoingCredential) -> Bool {
    left.entry.generation == right.entry.generation && left.version == right.version
      && left.revision == right.revision
  }

  package var isRemoval: Bool { entry.synchronization?.pending == .removal }
}
