package import WatchwordVocabulary

/// The trust decisions of one account that outlive its sessions and the daemon (storage.md 9.1.1).
///
/// A value: what the account's vault has before and after a change. Each decision covers what a session's
/// decision covers: one origin, the certificates or the key, and the faults that were shown.
package struct PermanentTrust: Sendable, Equatable {
  /// A stored decision.
  package struct StoredDecision: Sendable, Equatable {
    /// Never given to another decision of the account; `trust/remove` takes ``name``.
    package let number: UInt64
    package let subject: Subject
    package let decision: TrustDecision
    /// Seconds since 1970.
    package let created: Int64

    package init(number: UInt64, _ decision: TrustDecision, about subject: Subject, created: Int64) {
      self.number = number
      self.decision = decision
      self.subject = subject
      self.created = created
    }

    package var name: String { "\(PermanentTrust.namePrefix)\(number)" }
  }

  /// The server's certificate at the time of the decision, for a person.
  package struct Subject: Sendable, Equatable {
    package let name: String
    package let certificate: Fingerprint
    package let publicKey: Fingerprint

    package init(name: String, certificate: Fingerprint, publicKey: Fingerprint) {
      self.name = name
      self.certificate = certificate
      self.publicKey = publicKey
    }

    package init(_ trust: ServerTrust) {
      self.init(
        name: trust.certificates.first?.subject ?? "", certificate: trust.presented.certificate,
        publicKey: trust.presented.publicKey)
    }
  }

  /// How often a decision was used since the daemon started.
  package struct Usage: Sendable, Equatable {
    package var count = 0
    /// Seconds since 1970.
    package var last: Double?

    package init() {}
  }

  package enum Change: Sendable, Equatable {
    case record(TrustDecision, about: Subject, created: Int64)
    /// Nil stands for any.
    case remove(number: UInt64?, origin: Origin?)
    /// From another vault, in the order of their numbers there.
    case merge([StoredDecision])
  }

  /// A decision that was recorded.
  package struct Recording: Sendable, Equatable {
    package let entry: StoredDecision
    /// The earlier decision about the same subject.
    package let replaced: StoredDecision?
    /// False when the same decision was already stored.
    package let isNew: Bool

    /// Whether open connections may depend on a decision that no longer applies.
    package var endsConnections: Bool {
      replaced.map { entry.decision.excusesLess(than: $0.decision) } ?? false
    }
  }

  /// Numbers of decisions of another vault.
  package struct Merging: Sendable, Equatable {
    package var added = 0
    package var replaced = 0
    /// Whether open connections may depend on a decision that no longer applies.
    package var endsConnections = false

    package init() {}
  }

  package enum TrustChangeResult: Sendable, Equatable {
    case recorded(Recording)
    case removed(Int)
    case merged(Merging)
    /// The store is full; nothing is removed to make room, since permanent was promised.
    case full
  }

  /// More servers than a person accepts by hand.
  package static let capacity = 1024
  /// Distinguishes the names from those of a session's own decisions, which are numbers.
  private static let namePrefix = "p"

  private var entries: [Origin: [StoredDecision]] = [:]
  package private(set) var count = 0
  /// The highest number given so far.
  package private(set) var lastNumber: UInt64 = 0
  private var usages: [UInt64: Usage] = [:]

  package init() {}

  /// The contents of a vault; nil when invalid: too many entries, a number twice or above the last one, or
  /// two for one subject.
  package init?(_ kept: [StoredDecision], lastNumber: UInt64) {
    guard kept.count <= PermanentTrust.capacity, Set(kept.map(\.number)).count == kept.count,
      kept.allSatisfy({ $0.number >= 1 && $0.number <= lastNumber })
    else { return nil }
    entries = Dictionary(grouping: kept, by: \.decision.origin)
    guard entries.values.allSatisfy({ Set($0.map(\.decision.subject)).count == $0.count }) else { return nil }
    count = kept.count
    self.lastNumber = lastNumber
  }

  package var byteCount: Int {
    entries.values.joined().reduce(0) { $0 + $1.subject.name.utf8.count + Self.bytesPerEntry }
  }

  /// Beside the name: digests and reasons.
  private static let bytesPerEntry = 512

  package var all: [StoredDecision] { entries.values.joined().sorted(on: \.number) }

  package func usage(of entry: StoredDecision) -> Usage { usages[entry.number] ?? Usage() }

  /// The number in a name as ``StoredDecision/name`` writes it; nil for any other text.
  package static func number(named name: String) -> UInt64? {
    guard name.hasPrefix(namePrefix), let number = UInt64(name.dropFirst(namePrefix.count)),
      name == "\(namePrefix)\(number)"
    else { return nil }
    return number
  }

  // MARK: Handshakes

  /// Whether a decision covers the chain; counts as a use. A decision that the administrator's policy forbids
  /// is skipped but stays: a later policy may allow it, and no caller has removed it.
  package mutating func covers(
    _ presented: PresentedChain, from origin: Origin, with faults: [TrustFault], under policy: TrustPolicy,
    wallClock: Double
  ) -> Bool {
    let entry = entries[origin]?.first {
      $0.decision.covers(presented, from: origin, with: faults) && !policy.forbids($0.decision)
    }
    guard let entry else { return false }
    usages[entry.number, default: Usage()].count += 1
    usages[entry.number]?.last = wallClock
    return true
  }

  // MARK: Changes

  package mutating func apply(_ change: Change) -> TrustChangeResult {
    switch change {
    case .record(let decision, let subject, let created): record(decision, about: subject, created: created)
    case .remove(let number, let origin): .removed(remove(number: number, origin: origin))
    case .merge(let others): merge(others)
    }
  }

  /// Whether a removal would remove anything.
  package func holds(number: UInt64?, origin: Origin?) -> Bool {
    all.contains { (number == nil || $0.number == number) && (origin == nil || $0.decision.origin == origin) }
  }

  /// Of two decisions about one subject the later one stays.
  private mutating func merge(_ others: [StoredDecision]) -> TrustChangeResult {
    var merged = self
    var merging = Merging()
    for other in others {
      let present = merged.entries[other.decision.origin]?.first {
        $0.decision.subject == other.decision.subject
      }
      if let present, present.decision == other.decision || present.created >= other.created { continue }
      let outcome = merged.record(other.decision, about: other.subject, created: other.created)
      guard case .recorded(let recording) = outcome else { return .full }
      if recording.endsConnections { merging.endsConnections = true }
      if recording.replaced == nil { merging.added += 1 } else { merging.replaced += 1 }
    }
    self = merged
    return .merged(merging)
  }

  /// Undoes a recording that did not take effect: restores the decision that it replaced.
  package mutating func takeBack(_ recording: Recording) {
    let entry = recording.entry
    guard recording.isNew, remove(number: entry.number, origin: entry.decision.origin) > 0,
      let replaced = recording.replaced
    else { return }
    entries[replaced.decision.origin, default: []].append(replaced)
    count += 1
  }

  private mutating func record(
    _ decision: TrustDecision, about subject: Subject, created: Int64
  ) -> TrustChangeResult {
    let replaced = entries[decision.origin]?.first { $0.decision.subject == decision.subject }
    if let replaced, replaced.decision == decision {
      return .recorded(Recording(entry: replaced, replaced: nil, isNew: false))
    }
    guard count < PermanentTrust.capacity || replaced != nil, lastNumber < UInt64(Int64.max) else {
      return .full
    }
    if let replaced { _ = remove(number: replaced.number, origin: decision.origin) }
    lastNumber += 1
    let entry = StoredDecision(number: lastNumber, decision, about: subject, created: created)
    entries[decision.origin, default: []].append(entry)
    count += 1
    return .recorded(Recording(entry: entry, replaced: replaced, isNew: true))
  }

  private mutating func remove(number: UInt64?, origin: Origin?) -> Int {
    let before = count
    for key in entries.keys where origin == nil || key == origin {
      for entry in entries[key] ?? [] where number == nil || entry.number == number {
        usages[entry.number] = nil
      }
      entries[key]?.removeAll { number == nil || $0.number == number }
      if entries[key, default: []].isEmpty { entries[key] = nil }
    }
    count = entries.values.reduce(0) { $0 + $1.count }
    return before - count
  }
}

extension TrustStore {
  /// The verdict on a chain in a partition: own decisions first, then permanent ones (challenges.md 10.5).
  package mutating func ruling(
    on presented: PresentedChain, with faults: [TrustFault], from origin: Origin,
    in partition: ConnectionPartition,
    before permanent: inout PermanentTrust, under policy: TrustPolicy, now: Double, wallClock: Double
  ) -> Ruling {
    let own = ruling(on: presented, with: faults, from: origin, in: partition, now: now)
    switch own {
    case .accept, .refuse: return own
    case .ask:
      let isCovered = permanent.covers(
        presented, from: origin, with: faults, under: policy, wallClock: wallClock)
      return isCovered ? .accept : own
    }
  }
}

extension PermanentTrust {
  /// What a store has to write to hold another state.
  package struct Difference: Sendable, Equatable {
    package let written: [StoredDecision]
    /// Their numbers.
    package let removed: [UInt64]
    /// Whether the last number is another one.
    package let isLedgerNew: Bool

    package var isEmpty: Bool { written.isEmpty && removed.isEmpty && !isLedgerNew }
  }

  /// - Parameter stored: what the store has.
  package func difference(from stored: PermanentTrust) -> Difference {
    let old = Dictionary(uniqueKeysWithValues: stored.all.map { ($0.number, $0) })
    let new = all
    let numbers = Set(new.map(\.number))
    return Difference(
      written: new.filter { old[$0.number] != $0 },
      removed: old.keys.filter { !numbers.contains($0) }.sorted(),
      isLedgerNew: lastNumber != stored.lastNumber)
  }
}
