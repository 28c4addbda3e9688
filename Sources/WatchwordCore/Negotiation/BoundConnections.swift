internal import WatchwordVocabulary

/// The connections of a session that belong to connection-bound credentials (challenges.md 14.3).
///
/// A server that speaks Negotiate or NTLM takes an authenticated connection for the user, whoever sends over it
/// (CVE-2014-0015 and its successors). So each of these connections belongs to one credential and serves one task at a
/// time. Tasks wait for one when a credential has as many as the session allows for a host.
package struct BoundConnections: Sendable {
  /// What a task may use.
  struct Lease: Sendable, Equatable {
    let account: UInt64
    let connection: UInt64
    /// Whether the server has authenticated it.
    let isAuthenticated: Bool
    /// As far as it is known; empty: unknown, or cleartext.
    let serverEndPoint: [UInt8]
  }

  private struct Connection: Sendable {
    var task: TaskIdentifier?
    var isAuthenticated = false
    var serverEndPoint: [UInt8] = []
    /// Where its exchanges go, as soon as there was one.
    var partition: ConnectionPartition?
  }

  /// One credential in one space.
  private struct Account: Sendable {
    let space: ProtectionSpace
    let credential: Credential.Kind
    /// Whether it lasts; otherwise it ends with the tasks that use it.
    let isKept: Bool
    var isOver = false
    /// Whether the server has ever accepted it.
    var wasAccepted = false
    var members: Set<TaskIdentifier> = []
    var connections: [UInt64: Connection] = [:]
    var idle: [UInt64] = []
    /// By number, the smallest one first.
    var waiting: [UInt64: TaskIdentifier] = [:]
    var front: UInt64 = 0
    var end: UInt64 = 0
    /// Whether the server wants a token with every request, and not only once for each connection.
    var needsTokenAlways = false
    var serverEndPoint: [UInt8] = []
  }

  private struct Place: Sendable {
    let account: UInt64
    /// Nil while the task waits.
    var connection: UInt64?
    var number: UInt64 = 0
  }

  /// Idle connections of all credentials that are kept.
  private static let idleCapacity = 64

  private var accounts: [UInt64: Account] = [:]
  private var numbers: [ProtectionSpace: [UInt64]] = [:]
  private var places: [TaskIdentifier: Place] = [:]
  private var memberships: [TaskIdentifier: Set<UInt64>] = [:]
  private var idleCount = 0
  private var lastNumber: UInt64 = 0

  private var granted: [TaskIdentifier] = []
  private var closed: [ConnectionPartition] = []
  private var ended: [UInt64] = []

  /// A number that no account, connection or context has.
  mutating func makeNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  // MARK: Tasks

  /// A connection for the task; nil: it waits until `takeGranted` names it.
  ///
  /// - Parameters:
  ///   - isKept: whether the credential lasts longer than the tasks that were given it.
  ///   - limit: the connections for one credential.
  mutating func lease(
    _ space: ProtectionSpace, _ credential: Credential.Kind, isKept: Bool, for task: TaskIdentifier,
    limit: Int
  ) -> Lease? {
    let number = account(space, credential, isKept: isKept)
    if let place = places[task] {
      if place.account == number { return place.connection.flatMap { lease($0, of: number) } }
      release(task)
    }
    guard var account = accounts[number] else { return nil }
    // Taken out while it is changed, so that no copy is made.
    accounts[number] = nil
    defer { accounts[number] = account }
    account.members.insert(task)
    memberships[task, default: []].insert(number)
    if let idle = account.idle.popLast() {
      idleCount -= 1
      account.connections[idle]?.task = task
      places[task] = Place(account: number, connection: idle)
    } else if account.connections.count < limit {
      lastNumber += 1
      account.connections[lastNumber] = Connection(task: task, serverEndPoint: account.serverEndPoint)
      places[task] = Place(account: number, connection: lastNumber)
    } else {
      places[task] = Place(account: number, connection: nil, number: account.end)
      account.waiting[account.end] = task
      account.end += 1
      return nil
    }
    guard let connection = places[task]?.connection, let found = account.connections[connection] else {
      return nil
    }
    return BoundConnections.lease(connection, found, account, number)
  }

  private func lease(_ connection: UInt64, of number: UInt64) -> Lease? {
    guard let account = accounts[number], let found = account.connections[connection] else { return nil }
    return BoundConnections.lease(connection, found, account, number)
  }

  private static func lease(
    _ connection: UInt64, _ found: Connection, _ account: Account, _ number: UInt64
  ) -> Lease {
    Lease(
      account: number, connection: connection,
      isAuthenticated: found.isAuthenticated && !account.needsTokenAlways,
      serverEndPoint: found.serverEndPoint)
  }

  private mutating func account(
    _ space: ProtectionSpace, _ credential: Credential.Kind, isKept: Bool
  ) -> UInt64 {
    for number in numbers[space] ?? [] {
      if let known = accounts[number], known.isKept == isKept, known.credential == credential {
        return number
      }
    }
    let number = makeNumber()
    accounts[number] = Account(space: space, credential: credential, isKept: isKept)
    numbers[space, default: []].append(number)
    return number
  }

  /// The partition in which the exchanges of the task's connection run; nil when it has none.
  mutating func partition(for task: TaskIdentifier, over other: ConnectionPartition) -> ConnectionPartition? {
    guard let place = places[task], let connection = place.connection else { return nil }
    var partition = other
    partition.bound = connection
    let former = accounts[place.account]?.connections[connection]?.partition
    if let former, former != partition { closed.append(former) }
    accounts[place.account]?.connections[connection]?.partition = partition
    return partition
  }

  /// The server has shown this certificate on the task's connection.
  mutating func note(serverEndPoint: [UInt8], of task: TaskIdentifier) {
    guard let place = places[task], let connection = place.connection else { return }
    accounts[place.account]?.serverEndPoint = serverEndPoint
    accounts[place.account]?.connections[connection]?.serverEndPoint = serverEndPoint
  }

  /// The server has authenticated the task's connection, or does not take it for authenticated.
  mutating func note(isAuthenticated: Bool, of task: TaskIdentifier) {
    guard let place = places[task], let connection = place.connection else { return }
    accounts[place.account]?.connections[connection]?.isAuthenticated = isAuthenticated
    if isAuthenticated { accounts[place.account]?.wasAccepted = true }
  }

  /// The server wants a token although the connection was authenticated and is still the same.
  mutating func noteTokenAlways(for task: TaskIdentifier) {
    guard let place = places[task] else { return }
    accounts[place.account]?.needsTokenAlways = true
  }

  /// The task has its response, or does not wait any more: the next one may use the connection.
  mutating func release(_ task: TaskIdentifier) {
    guard let place = places.removeValue(forKey: task), var account = accounts[place.account] else { return }
    accounts[place.account] = nil
    defer { store(account, place.account) }
    guard let connection = place.connection else {
      account.waiting[place.number] = nil
      return
    }
    account.connections[connection]?.task = nil
    guard !account.isOver else { return close(connection, of: &account) }
    while account.front < account.end {
      let number = account.front
      account.front += 1
      guard let next = account.waiting.removeValue(forKey: number) else { continue }
      account.connections[connection]?.task = next
      places[next] = Place(account: place.account, connection: connection)
      granted.append(next)
      return
    }
    guard idleCount < BoundConnections.idleCapacity else { return close(connection, of: &account) }
    account.idle.append(connection)
    idleCount += 1
  }

  /// The task has ended: connections under a credential that was only for it and others like it are closed.
  mutating func end(_ task: TaskIdentifier) {
    release(task)
    for number in memberships.removeValue(forKey: task) ?? [] {
      accounts[number]?.members.remove(task)
      guard let account = accounts[number], account.members.isEmpty else { continue }
      if !account.isKept || !account.wasAccepted { end(account: number) }
    }
  }

  // MARK: Credentials

  /// The credential was removed or replaced: no connection that was authenticated with it is used again.
  mutating func end(_ space: ProtectionSpace, unless isCurrent: (Credential.Kind) -> Bool) {
    for number in numbers[space] ?? [] {
      if let account = accounts[number], account.isKept, !isCurrent(account.credential) {
        end(account: number)
      }
    }
  }

  private mutating func end(account number: UInt64) {
    guard var account = accounts[number], !account.isOver else { return }
    accounts[number] = nil
    account.isOver = true
    numbers[account.space]?.removeAll { $0 == number }
    if numbers[account.space]?.isEmpty == true { numbers[account.space] = nil }
    idleCount -= account.idle.count
    for connection in account.idle { close(connection, of: &account) }
    account.idle = []
    // They look for a credential again.
    for task in account.waiting.values {
      places[task] = nil
      granted.append(task)
    }
    account.waiting = [:]
    store(account, number)
  }

  private mutating func close(_ connection: UInt64, of account: inout Account) {
    if let partition = account.connections.removeValue(forKey: connection)?.partition {
      closed.append(partition)
    }
  }

  private mutating func store(_ account: Account, _ number: UInt64) {
    if account.isOver, account.connections.isEmpty {
      ended.append(number)
    } else {
      accounts[number] = account
    }
  }

  // MARK: Changes to report

  package var hasNews: Bool { !granted.isEmpty || !closed.isEmpty || !ended.isEmpty }

  /// Tasks that have a connection now, or have to look for another credential.
  mutating func takeGranted() -> [TaskIdentifier] {
    defer { granted.removeAll() }
    return granted
  }

  /// Partitions whose connection is not used again.
  mutating func takeClosed() -> [ConnectionPartition] {
    defer { closed.removeAll() }
    return closed
  }

  /// Accounts whose tickets are not used again.
  mutating func takeEnded() -> [UInt64] {
    defer { ended.removeAll() }
    return ended
  }
}
