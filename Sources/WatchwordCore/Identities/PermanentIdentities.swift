package import WatchwordVocabulary

/// The client identities of one account that outlive its sessions and the daemon (challenges.md 11.11).
///
/// A value: what the account's vault has before and after a change. A certificate can have a record for each
/// origin that it was given for, or one for any origin. What a session's rules demand at once (a use is
/// counted, an expired identity ends) changes this value, and is noted for the store.
package struct PermanentIdentities: Sendable {
  package struct StoredIdentity: Sendable, Equatable {
    /// Of its record.
    package let number: UInt64
    package let kept: KeptIdentity
    /// The only origin that may see it; nil: any.
    package let origin: Origin?
    package fileprivate(set) var record: UseRecord

    package init(number: UInt64, _ kept: KeptIdentity, for origin: Origin?, record: UseRecord) {
      self.number = number
      self.kept = kept
      self.origin = origin
      self.record = record
    }

    package var identity: Identity { kept.identity }
    package var identifier: String { kept.identity.identifier }

    /// One for every origin goes wherever its giver's sessions lead.
    func counts(over ways: [CallersWay]) -> Bool { origin == nil || record.ways.includes(ways) }

    func isUsable(now: Double, wallClock: Double) -> Bool {
      !record.isOver(now: now, wallClock: wallClock) && identity.fault(at: wallClock) == nil
    }

    /// Whether the other one says nothing else: uses aside.
    fileprivate func isSame(as draft: Draft) -> Bool {
      kept == draft.kept && record.limits == draft.record.limits
    }

    /// Whether its uses are limited, and so written down.
    var isCounted: Bool { record.limits.maximumUses != nil || record.limits.idleSeconds != nil }
  }

  /// An identity that has no record yet.
  package struct Draft: Sendable, Equatable {
    package let kept: KeptIdentity
    package let origin: Origin?
    package let record: UseRecord

    package init(_ kept: KeptIdentity, for origin: Origin?, record: UseRecord) {
      self.kept = kept
      self.origin = origin
      self.record = record
    }

    /// What it takes until it is on the disk.
    package var heldBytes: Int { HeldBytes.identity + HeldBytes.copiesInTransaction * kept.byteCount }
  }

  package enum Change: Sendable, Equatable {
    case add(Draft)
    /// Nil: all.
    case remove(identifier: String?)
    /// From another vault.
    case merge([Draft])
  }

  /// An identity that was added.
  package struct Addition: Sendable, Equatable {
    package let entry: StoredIdentity
    package let replaced: [StoredIdentity]
  }

  package struct Merging: Sendable, Equatable {
    package var added = 0
    package var replaced = 0
    package var entries: [StoredIdentity] = []

    package init() {}
  }

  package enum IdentityChangeResult: Sendable, Equatable {
    case added(Addition)
    case removed([StoredIdentity])
    case merged(Merging)
    /// Nothing is removed to make room, since permanent was promised.
    case full
  }

  /// What sessions and the store have to know since the last look.
  package struct News: Sendable, Equatable {
    package fileprivate(set) var expired: [StoredIdentity] = []
    package fileprivate(set) var hasUses = false

    package var isEmpty: Bool { expired.isEmpty && !hasUses }
  }

  /// As many as a session may have.
  package static let capacity = IdentityStore.capacity

  /// In the order in which they were added.
  private var entries: [StoredIdentity] = []
  private var lastNumber: UInt64 = 0
  private var news = News()

  package init() {}

  /// The contents of a store; of two records for one place the newer one.
  package init(_ kept: [StoredIdentity]) {
    for entry in kept.sorted(on: \.number) {
      entries.removeAll { $0.identifier == entry.identifier && $0.origin == entry.origin }
      entries.append(entry)
      lastNumber = max(lastNumber, entry.number)
    }
  }

  package var count: Int { entries.count }
  var isEmpty: Bool { entries.isEmpty }
  package var byteCount: Int { entries.reduce(0) { $0 + $1.kept.byteCount } }
  /// The most recently added first.
  package var all: [StoredIdentity] { entries.reversed() }

  package func holds(_ identifier: String) -> Bool { entries.contains { $0.identifier == identifier } }

  // MARK: Using

  /// Those that may be presented to this origin now, the most recently added first (storage.md 9.6.12).
  func usable(at origin: Origin, over ways: [CallersWay], now: Double, wallClock: Double) -> [StoredIdentity]
  {
    entries.reversed().filter {
      ($0.origin == nil || $0.origin == origin) && $0.counts(over: ways)
        && $0.isUsable(now: now, wallClock: wallClock)
    }
  }

  /// The record that serves an origin, or else another one of the same certificate: a reply may have named
  /// it.
  package func usable(_ identifier: String, at origin: Origin?, now: Double, wallClock: Double)
    -> StoredIdentity?
  {
    let found = entries.reversed().filter {
      $0.identifier == identifier && $0.isUsable(now: now, wallClock: wallClock)
    }
    return found.first { $0.origin == origin } ?? found.first { $0.origin == nil } ?? found.first
  }

  /// Presents it; a use is a handshake.
  mutating func noteUse(_ number: UInt64, now: Double) {
    guard let index = entries.firstIndex(where: { $0.number == number }) else { return }
    entries[index].record.noteUse(now: now)
    if entries[index].isCounted { news.hasUses = true }
  }

  /// Ends those that their limits have ended. A certificate that has expired is kept (challenges.md 11.15).
  package mutating func dropExpired(now: Double, wallClock: Double) -> [StoredIdentity] {
    guard !entries.isEmpty else { return [] }
    let over = entries.filter { $0.record.isOver(now: now, wallClock: wallClock) }
    guard !over.isEmpty else { return [] }
    entries.removeAll { $0.record.isOver(now: now, wallClock: wallClock) }
    news.expired += over
    return over
  }

  package mutating func takeNews() -> News {
    guard !news.isEmpty else { return news }
    defer { news = News() }
    return news
  }

  // MARK: Changing

  package mutating func apply(_ change: Change) -> IdentityChangeResult {
    switch change {
    case .add(let draft): return add(draft).map { .added($0) } ?? .full
    case .remove(let identifier):
      let removed = entries.filter { identifier == nil || $0.identifier == identifier }
      entries.removeAll { identifier == nil || $0.identifier == identifier }
      return .removed(removed)
    case .merge(let drafts): return merge(drafts)
    }
  }

  /// Undoes an addition that did not take effect.
  package mutating func takeBack(_ addition: Addition) {
    entries.removeAll { $0.number == addition.entry.number }
    // Another one may have taken its place meanwhile.
    entries += addition.replaced.filter { old in
      !entries.contains { $0.identifier == old.identifier && ($0.origin == nil || $0.origin == old.origin) }
    }
    entries = entries.sorted(on: \.number)
  }

  /// In place of the records of the same certificate that it makes useless. One that is for any origin stays
  /// so.
  private mutating func add(_ draft: Draft) -> Addition? {
    let same = entries.filter { $0.identifier == draft.kept.identity.identifier }
    let origin = same.contains { $0.origin == nil } ? nil : draft.origin
    let replaced = same.filter { origin == nil || $0.origin == origin }
    guard entries.count - replaced.count < PermanentIdentities.capacity else { return nil }
    lastNumber += 1
    var entry = StoredIdentity(number: lastNumber, draft.kept, for: origin, record: draft.record)
    for old in same { entry.record.ways.add(old.record.ways) }
    entries.removeAll(where: replaced.contains)
    entries.append(entry)
    return Addition(entry: entry, replaced: replaced)
  }

  /// Of two records for one place the one that was given later stays.
  private mutating func merge(_ drafts: [Draft]) -> IdentityChangeResult {
    var merged = self
    var merging = Merging()
    for draft in drafts {
      let present = merged.entries.first {
        $0.identifier == draft.kept.identity.identifier && ($0.origin == nil || $0.origin == draft.origin)
      }
      if let present,
        present.isSame(as: draft) || present.record.created >= draft.record.created
      {
        continue
      }
      guard let addition = merged.add(draft) else { return .full }
      if addition.replaced.isEmpty { merging.added += 1 } else { merging.replaced += 1 }
      merging.entries.append(addition.entry)
    }
    self = merged
    return .merged(merging)
  }

  // MARK: Writing

  /// What a store has to write to hold another state.
  package struct Difference: Sendable, Equatable {
    package let written: [StoredIdentity]
    /// Their numbers.
    package let removed: [UInt64]

    package var isEmpty: Bool { written.isEmpty && removed.isEmpty }
  }

  /// - Parameter stored: what the store has.
  package func difference(from stored: PermanentIdentities) -> Difference {
    let old = Dictionary(uniqueKeysWithValues: stored.entries.map { ($0.number, $0) })
    let numbers = Set(entries.map(\.number))
    return Difference(
      written: entries.filter { entry in
        old[entry.number].map { entry.isCounted && $0.record != entry.record } ?? true
      },
      removed: old.keys.filter { !numbers.contains($0) }.sorted())
  }
}
