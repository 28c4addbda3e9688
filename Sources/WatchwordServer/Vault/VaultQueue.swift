internal import WatchwordCore
internal import WatchwordVault

/// Changes of the vault that wait for their transaction, in order of arrival.
struct VaultQueue {
  struct Request {
    let change: PermanentCredentials.Change
    let merged: Merged
    let then: (Result<Settled, VaultFault>) -> Void
  }

  /// What came with credentials in one import.
  struct Merged {
    var decisions: [PermanentTrust.Entry] = []
    var identities: [PermanentIdentities.Draft] = []

    var isEmpty: Bool { decisions.isEmpty && identities.isEmpty }
  }

  /// What has become of a request.
  struct Settled {
    let alteration: PermanentCredentials.Alteration
    var merging = PermanentTrust.Merging()
    var identities = PermanentIdentities.Merging()
  }

  struct TrustRequest {
    let change: PermanentTrust.Change
    let then: (Result<PermanentTrust.Outcome, VaultFault>) -> Void
  }

  struct IdentityRequest {
    let change: PermanentIdentities.Change
    let then: (Result<PermanentIdentities.Outcome, VaultFault>) -> Void
  }

  /// Changes of one transaction: it takes some milliseconds, in which the others wait.
  private static let changesPerTransaction = 1024

  private var requests: [Request] = []
  /// Records whose counts of uses are to be written.
  private var used: Set<UInt64> = []

  private var trustRequests: [TrustRequest] = []
  /// Whether the decisions in memory are others than those of the vault.
  private var isTrustStale = false

  private var identityRequests: [IdentityRequest] = []
  /// Whether the identities in memory are others than those of the vault, and whether only their uses are.
  private var areIdentitiesStale = false
  private var areIdentityUsesStale = false

  var isEmpty: Bool { requests.isEmpty && used.isEmpty && !hasTrust && !hasIdentities }
  var hasIdentities: Bool { !identityRequests.isEmpty || areIdentitiesStale || areIdentityUsesStale }
  /// Whether something is waiting that must not be missing on the disk, counts of uses aside.
  var mustBeWritten: Bool { hasTrust || !identityRequests.isEmpty || areIdentitiesStale }
  var hasTrust: Bool { !trustRequests.isEmpty || isTrustStale }

  mutating func append(
    _ change: PermanentTrust.Change, then: @escaping (Result<PermanentTrust.Outcome, VaultFault>) -> Void
  ) {
    trustRequests.append(TrustRequest(change: change, then: then))
  }

  mutating func append(
    _ change: PermanentIdentities.Change,
    then: @escaping (Result<PermanentIdentities.Outcome, VaultFault>) -> Void
  ) {
    identityRequests.append(IdentityRequest(change: change, then: then))
  }

  /// - Parameter mustBeWritten: whether more than counts of uses has changed.
  mutating func noteIdentities(mustBeWritten: Bool) {
    areIdentityUsesStale = true
    if mustBeWritten { areIdentitiesStale = true }
  }

  /// Takes all changes of identities; nil when there is nothing to write.
  mutating func takeIdentities() -> [IdentityRequest]? {
    guard hasIdentities else { return nil }
    defer { (identityRequests, areIdentitiesStale, areIdentityUsesStale) = ([], false, false) }
    return identityRequests
  }

  mutating func noteTrust() { isTrustStale = true }

  /// Takes all changes of decisions; nil when there is nothing to write.
  mutating func takeTrust() -> [TrustRequest]? {
    guard hasTrust else { return nil }
    defer { (trustRequests, isTrustStale) = ([], false) }
    return trustRequests
  }

  mutating func append(
    _ change: PermanentCredentials.Change, merging merged: Merged = Merged(),
    then: @escaping (Result<Settled, VaultFault>) -> Void
  ) {
    requests.append(Request(change: change, merged: merged, then: then))
  }

  /// Those of another queue come behind.
  mutating func append(_ later: VaultQueue) {
    requests += later.requests
    used.formUnion(later.used)
    trustRequests += later.trustRequests
    identityRequests += later.identityRequests
    isTrustStale = isTrustStale || later.isTrustStale
    areIdentitiesStale = areIdentitiesStale || later.areIdentitiesStale
    areIdentityUsesStale = areIdentityUsesStale || later.areIdentityUsesStale
  }

  mutating func noteUses(_ numbers: some Sequence<UInt64>) { used.formUnion(numbers) }

  /// Empties the queue; counts of uses are dropped.
  mutating func failAll(_ fault: VaultFault) {
    let (requests, trustRequests, identityRequests) = (requests, trustRequests, identityRequests)
    self = VaultQueue()
    for request in requests { request.then(.failure(fault)) }
    for request in trustRequests { request.then(.failure(fault)) }
    for request in identityRequests { request.then(.failure(fault)) }
  }

  /// Takes changes of which no two concern the same origin; none when the queue is empty.
  mutating func takeBatch(of credentials: PermanentCredentials) -> [Request] {
    if !used.isEmpty {
      requests.append(Request(change: .noteUses(used), merged: Merged()) { _ in })
      used = []
    }
    guard let first = requests.first else { return [] }
    var origins = credentials.origins(of: first.change)
    var count = 1
    while count < min(requests.count, VaultQueue.changesPerTransaction) {
      let more = credentials.origins(of: requests[count].change)
      guard origins.isDisjoint(with: more) else { break }
      origins.formUnion(more)
      count += 1
    }
    defer { requests.removeFirst(count) }
    return Array(requests[..<count])
  }
}
