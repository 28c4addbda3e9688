internal import WatchwordCore
internal import WatchwordVault

/// Changes of the vault that wait for their transaction, in order of arrival.
struct VaultQueue {
  struct Request {
    let change: PermanentCredentials.Change
    /// Decisions of the same import.
    let merged: [PermanentTrust.Entry]
    let then: (Result<Settled, VaultFault>) -> Void
  }

  /// What has become of a request.
  struct Settled {
    let alteration: PermanentCredentials.Alteration
    var merging = PermanentTrust.Merging()
  }

  struct TrustRequest {
    let change: PermanentTrust.Change
    let then: (Result<PermanentTrust.Outcome, VaultFault>) -> Void
  }

  /// Changes of one transaction: it takes some milliseconds, in which the others wait.
  private static let changesPerTransaction = 1024

  private var requests: [Request] = []
  /// Records whose counts of uses are to be written.
  private var used: Set<UInt64> = []

  private var trustRequests: [TrustRequest] = []
  /// Whether the decisions in memory are others than those of the vault.
  private var isTrustStale = false

  var isEmpty: Bool { requests.isEmpty && used.isEmpty && !hasTrust }
  var hasTrust: Bool { !trustRequests.isEmpty || isTrustStale }

  mutating func append(
    _ change: PermanentTrust.Change, then: @escaping (Result<PermanentTrust.Outcome, VaultFault>) -> Void
  ) {
    trustRequests.append(TrustRequest(change: change, then: then))
  }

  mutating func noteTrust() { isTrustStale = true }

  /// Takes all changes of decisions; nil when there is nothing to write.
  mutating func takeTrust() -> [TrustRequest]? {
    guard hasTrust else { return nil }
    defer { (trustRequests, isTrustStale) = ([], false) }
    return trustRequests
  }

  mutating func append(
    _ change: PermanentCredentials.Change, merging decisions: [PermanentTrust.Entry] = [],
    then: @escaping (Result<Settled, VaultFault>) -> Void
  ) {
    requests.append(Request(change: change, merged: decisions, then: then))
  }

  mutating func noteUses(_ numbers: some Sequence<UInt64>) { used.formUnion(numbers) }

  /// Empties the queue; counts of uses are dropped.
  mutating func failAll(_ fault: VaultFault) {
    let (requests, trustRequests) = (requests, trustRequests)
    self = VaultQueue()
    for request in requests { request.then(.failure(fault)) }
    for request in trustRequests { request.then(.failure(fault)) }
  }

  /// Takes changes of which no two concern the same origin; none when the queue is empty.
  mutating func takeBatch(of credentials: PermanentCredentials) -> [Request] {
    if !used.isEmpty {
      requests.append(Request(change: .noteUses(used), merged: []) { _ in })
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
