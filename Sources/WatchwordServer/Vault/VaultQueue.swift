internal import WatchwordCore
internal import WatchwordVault

/// Changes of the vault that wait for their transaction, in order of arrival.
struct VaultQueue {
  struct Request {
    let change: PermanentCredentials.Change
    let then: (Result<PermanentCredentials.Alteration, VaultFault>) -> Void
  }

  /// Changes of one transaction: it takes some milliseconds, in which the others wait.
  private static let changesPerTransaction = 1024

  private var requests: [Request] = []
  /// Records whose counts of uses are to be written.
  private var used: Set<UInt64> = []

  var isEmpty: Bool { requests.isEmpty && used.isEmpty }

  mutating func append(
    _ change: PermanentCredentials.Change,
    then: @escaping (Result<PermanentCredentials.Alteration, VaultFault>) -> Void
  ) {
    requests.append(Request(change: change, then: then))
  }

  mutating func noteUses(_ numbers: some Sequence<UInt64>) { used.formUnion(numbers) }

  /// Empties the queue; counts of uses are dropped.
  mutating func takeAll() -> [Request] {
    defer { (requests, used) = ([], []) }
    return requests
  }

  /// Takes changes of which no two concern the same origin; none when the queue is empty.
  mutating func takeBatch(of credentials: PermanentCredentials) -> [Request] {
    if !used.isEmpty {
      requests.append(Request(change: .noteUses(used)) { _ in })
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
