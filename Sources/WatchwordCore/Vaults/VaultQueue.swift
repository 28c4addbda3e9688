internal import WatchwordVocabulary

/// Changes of one vault that wait for their transaction, in order of arrival (storage.md 9.6).
package struct VaultQueue: Sendable {
  struct Request: Sendable {
    let ticket: VaultChange.Ticket
    let change: PermanentCredentials.Change
    let merged: VaultChange.Merged
  }

  struct TrustRequest: Sendable {
    let ticket: VaultChange.Ticket
    let change: PermanentTrust.Change
  }

  struct IdentityRequest: Sendable {
    let ticket: VaultChange.Ticket
    let change: PermanentIdentities.Change
  }

  /// What waits for the same time.
  private struct Waiting: Sendable {
    var requests: [Request] = []
    var trust: [TrustRequest] = []
    var identities: [IdentityRequest] = []

    mutating func append(_ change: VaultChange, _ ticket: VaultChange.Ticket) {
      switch change {
      case .credentials(let change, let merged):
        requests.append(Request(ticket: ticket, change: change, merged: merged))
      case .trust(let change): trust.append(TrustRequest(ticket: ticket, change: change))
      case .identities(let change): identities.append(IdentityRequest(ticket: ticket, change: change))
      }
    }
  }

  /// Changes of one transaction: it takes some milliseconds, in which the others wait.
  static let changesPerTransaction = 1024

  private var next = Waiting()
  /// For the time after the wiping.
  private var later = Waiting()
  private var lastTicket: UInt64 = 0
  /// Records whose counts of uses are to be written.
  private var used: Set<UInt64> = []
  /// Whether the decisions in memory are others than those of the vault.
  private var isTrustStale = false
  /// Whether the identities in memory are others than those of the vault, and whether only their uses are.
  private var areIdentitiesStale = false
  private var areIdentityUsesStale = false

  package init() {}

  package var isEmpty: Bool { next.requests.isEmpty && used.isEmpty && !hasTrust && !hasIdentities }
  package var hasTrust: Bool { !next.trust.isEmpty || isTrustStale }
  package var hasIdentities: Bool { !next.identities.isEmpty || areIdentitiesStale || areIdentityUsesStale }
  /// Whether something waits that must not be missing on the disk, counts of uses aside.
  package var mustBeWritten: Bool { hasTrust || !next.identities.isEmpty || areIdentitiesStale }

  // MARK: Arriving

  /// - Parameter isPutOff: whether it waits for the end of the wiping.
  package mutating func append(_ change: VaultChange, isPutOff: Bool) -> VaultChange.Ticket {
    lastTicket += 1
    let ticket = VaultChange.Ticket(number: lastTicket)
    if isPutOff { later.append(change, ticket) } else { next.append(change, ticket) }
    return ticket
  }

  /// Takes what the rules of a session have asked for. Nobody waits for it.
  package mutating func append(_ requests: [PermanentCredentials.Change], isPutOff: Bool) {
    for change in requests {
      if case .noteUses(let numbers) = change {
        // They go with what they are of.
        used.formUnion(numbers)
      } else {
        _ = append(.credentials(change, merging: VaultChange.Merged()), isPutOff: isPutOff)
      }
    }
  }

  /// A decision was taken back.
  package mutating func noteTrust() { isTrustStale = true }

  /// An identity was taken back.
  package mutating func noteIdentities() { areIdentitiesStale = true }

  /// Identities were used, or their limits have ended them.
  package mutating func note(_ news: PermanentIdentities.News) {
    areIdentityUsesStale = areIdentityUsesStale || news.hasUses
    areIdentitiesStale = areIdentitiesStale || !news.expired.isEmpty
  }

  /// The wiping has ended: what was put off waits behind the others.
  package mutating func takeLater() {
    next.requests += later.requests
    next.trust += later.trust
    next.identities += later.identities
    later = Waiting()
  }

  // MARK: Leaving

  /// All that wait fail, except what was put off. Counts of uses are dropped.
  package mutating func failAll(_ fault: VaultFault) -> [VaultAnswer] {
    let failed = next
    (next, used) = (Waiting(), [])
    (isTrustStale, areIdentitiesStale, areIdentityUsesStale) = (false, false, false)
    return failed.requests.map { .credentials($0.ticket, .failure(fault)) }
      + failed.trust.map { .trust($0.ticket, .failure(fault)) }
      + failed.identities.map { .identities($0.ticket, .failure(fault)) }
  }

  /// Takes all changes of decisions.
  mutating func takeTrust() -> [TrustRequest] {
    defer { (next.trust, isTrustStale) = ([], false) }
    return next.trust
  }

  /// Takes all changes of identities.
  mutating func takeIdentities() -> [IdentityRequest] {
    defer { (next.identities, areIdentitiesStale, areIdentityUsesStale) = ([], false, false) }
    return next.identities
  }

  /// Takes changes of which no two concern the same origin; none when none waits.
  mutating func takeRequests(of credentials: PermanentCredentials) -> [Request] {
    appendUses()
    let count = countTogether(credentials)
    defer { next.requests.removeFirst(count) }
    return Array(next.requests[..<count])
  }

  private mutating func appendUses() {
    guard !used.isEmpty else { return }
    _ = append(.credentials(.noteUses(used), merging: VaultChange.Merged()), isPutOff: false)
    used = []
  }

  /// How many of the first ones go together.
  private func countTogether(_ credentials: PermanentCredentials) -> Int {
    var origins: Set<Origin> = []
    let together = next.requests.prefix(Self.changesPerTransaction).prefix { request in
      let more = credentials.origins(of: request.change)
      defer { origins.formUnion(more) }
      return origins.isDisjoint(with: more)
    }
    return together.count
  }
}

/// A change of what the vault of one account keeps.
package enum VaultChange: Sendable {
  case credentials(PermanentCredentials.Change, merging: Merged)
  case trust(PermanentTrust.Change)
  case identities(PermanentIdentities.Change)

  /// What came with credentials in one import.
  package struct Merged: Sendable {
    package var decisions: [PermanentTrust.StoredDecision]
    package var identities: [PermanentIdentities.Draft]

    package init(
      decisions: [PermanentTrust.StoredDecision] = [], identities: [PermanentIdentities.Draft] = []
    ) {
      self.decisions = decisions
      self.identities = identities
    }

    var isEmpty: Bool { decisions.isEmpty && identities.isEmpty }
  }

  /// The number of a change, by which its caller is found.
  package struct Ticket: Sendable, Hashable {
    let number: UInt64
  }
}

/// What has become of a change. Each is answered once.
package enum VaultAnswer: Sendable {
  case credentials(VaultChange.Ticket, Result<Settled, VaultFault>)
  case trust(VaultChange.Ticket, Result<PermanentTrust.TrustChangeResult, VaultFault>)
  case identities(VaultChange.Ticket, Result<PermanentIdentities.IdentityChangeResult, VaultFault>)

  package struct Settled: Sendable {
    package let alteration: PermanentCredentials.Alteration
    /// Of what came with credentials in one import.
    package internal(set) var trust = PermanentTrust.Merging()
    package internal(set) var identities = PermanentIdentities.Merging()
  }
}

extension VaultFault {
  package static let noRoomForTrust = VaultFault.unavailable(
    "\(PermanentTrust.capacity) decisions are kept, and trust/remove makes room")
  package static let noRoomForIdentities = VaultFault.unavailable(
    "\(PermanentIdentities.capacity) identities are kept, and identity/remove makes room")
  static let noRoomForCredentials = VaultFault.unavailable(
    "the vault has its \(PermanentCredentials.capacity) credentials; credential/remove makes room")
}
