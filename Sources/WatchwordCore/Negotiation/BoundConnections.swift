internal import WatchwordVocabulary

/// The connections of a session that belong to connection-bound credentials (methods.md 14.3).
///
/// A server that speaks Negotiate or NTLM takes every request on an authenticated connection for one of the
/// user (CVE-2014-0015 and its successors). So each of these connections belongs to one credential and serves
/// one task at a time. Tasks wait for one when a credential has as many as the session allows for a host.
///
/// A connection leads to the server of its credential's space or, where that is a proxy, through it to one
/// origin: such a tunnel serves this origin only.
package struct BoundConnections: Sendable {
  /// The holder of a connection: one hop of a task.
  struct Holder: Sendable, Hashable {
    let task: TaskIdentifier
    let hop: Hop
  }

  /// What a task may use.
  struct Lease: Sendable, Equatable {
    let account: UInt64
    let connection: UInt64
    /// Whether the server has authenticated it.
    let isAuthenticated: Bool
    /// What the server has authenticated it with, as far as it is known.
    let mechanism: InnerMechanism?
    /// As far as it is known; empty: unknown, or cleartext.
    let serverEndPoint: [UInt8]
  }

  private struct Connection: Sendable {
    let target: String?
    var holder: Holder?
    var isAuthenticated = false
    var mechanism: InnerMechanism?
    var serverEndPoint: [UInt8] = []
    /// Where its exchanges go, as soon as there was one.
    var partition: ConnectionPartition?
  }

  /// The connections of one credential that lead to the same server.
  private struct Line: Sendable {
    var count = 0
    var idle: [UInt64] = []
    /// By number, the smallest one first.
    var waiting: [UInt64: Holder] = [:]
    var front: UInt64 = 0
    var end: UInt64 = 0
    /// Whether the server wants a token with every request, and not only once for each connection.
    var needsTokenAlways = false

    /// The one that has waited for longest.
    mutating func next() -> Holder? {
      while front < end {
        front += 1
        if let holder = waiting.removeValue(forKey: front - 1) { return holder }
      }
      return nil
    }
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
    /// By target; nil: the server of the space itself.
    var lines: [String?: Line] = [:]
    var serverEndPoint: [UInt8] = []
  }

  private struct Place: Sendable {
    let account: UInt64
    let target: String?
    /// Nil while the task waits.
    var connection: UInt64?
    var number: UInt64 = 0
  }

  /// Idle connections of all credentials that are kept.
  private static let idleCapacity = 64

  private var accounts: [UInt64: Account] = [:]
  private var numbers: [ProtectionSpace: [UInt64]] = [:]
  private var places: [Holder: Place] = [:]
  private var memberships: [TaskIdentifier: Set<UInt64>] = [:]
  private var idleCount = 0
  private var lastNumber: UInt64 = 0

  private var granted: [Holder] = []
  private var closed: [ConnectionPartition] = []
  private var ended: [UInt64] = []

  /// A number that no account, connection or context has.
  mutating func makeNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  // MARK: Tasks

  /// A connection for the holder; nil: it waits until `takeGranted` names it.
  ///
  /// - Parameters:
  ///   - isKept: whether the credential lasts longer than the tasks that were given it.
  ///   - target: where a tunnel through the space's proxy leads; nil: to the server of the space.
  ///   - limit: the connections for one credential and target.
  mutating func lease(
    _ space: ProtectionSpace, _ credential: Credential.Kind, isKept: Bool, to target: String? = nil,
    for holder: Holder, limit: Int
  ) -> Lease? {
    let number = account(space, credential, isKept: isKept)
    if let place = places[holder] {
      if place.account == number, place.target == target {
        return place.connection.flatMap { lease($0, of: number) }
      }
      release(holder)
    }
    guard var account = accounts[number] else { return nil }
    // Taken out while it is changed, so that no copy is made.
    accounts[number] = nil
    defer { accounts[number] = account }
    account.members.insert(holder.task)
    memberships[holder.task, default: []].insert(number)
    var place = Place(account: number, target: target)
    defer { places[holder] = place }
    if let idle = account.lines[target]?.idle.popLast() {
      idleCount -= 1
      account.connections[idle]?.holder = holder
      place.connection = idle
    } else if account.lines[target]?.count ?? 0 < limit {
      lastNumber += 1
      account.lines[target, default: Line()].count += 1
      account.connections[lastNumber] = Connection(
        target: target, holder: holder, serverEndPoint: account.serverEndPoint)
      place.connection = lastNumber
    } else {
      place.number = account.lines[target]?.end ?? 0
      account.lines[target]?.waiting[place.number] = holder
      account.lines[target]?.end += 1
      return nil
    }
    guard let connection = place.connection, let found = account.connections[connection] else {
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
      isAuthenticated: found.isAuthenticated && account.lines[found.target]?.needsTokenAlways != true,
      mechanism: found.mechanism, serverEndPoint: found.serverEndPoint)
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

  /// The number of the holder's connection; nil when it has none.
  func connection(of holder: Holder) -> UInt64? { places[holder]?.connection }

  /// The exchanges of the holder's connection run in this partition.
  mutating func note(_ partition: ConnectionPartition, of holder: Holder) {
    guard let place = places[holder], let connection = place.connection else { return }
    let former = accounts[place.account]?.connections[connection]?.partition
    if let former, former != partition { closed.append(former) }
    accounts[place.account]?.connections[connection]?.partition = partition
  }

  /// The server has shown this certificate on the holder's connection.
  mutating func note(serverEndPoint: [UInt8], of holder: Holder) {
    guard let place = places[holder], let connection = place.connection else { return }
    accounts[place.account]?.serverEndPoint = serverEndPoint
    accounts[place.account]?.connections[connection]?.serverEndPoint = serverEndPoint
  }

  /// The server has authenticated the holder's connection, or does not take it for authenticated.
  mutating func note(isAuthenticated: Bool, by mechanism: InnerMechanism? = nil, of holder: Holder) {
    guard let place = places[holder], let connection = place.connection else { return }
    accounts[place.account]?.connections[connection]?.isAuthenticated = isAuthenticated
    accounts[place.account]?.connections[connection]?.mechanism = mechanism
    if isAuthenticated { accounts[place.account]?.wasAccepted = true }
  }

  /// The server wants a token although the connection was authenticated and is still the same.
  mutating func noteTokenAlways(for holder: Holder) {
    guard let place = places[holder] else { return }
    accounts[place.account]?.lines[place.target]?.needsTokenAlways = true
  }

  /// The holder has its response, or does not wait any more: the next one may use the connection.
  mutating func release(_ holder: Holder) {
    guard let place = places.removeValue(forKey: holder), var account = accounts[place.account] else {
      return
    }
    accounts[place.account] = nil
    defer { store(account, place.account) }
    guard let connection = place.connection else {
      account.lines[place.target]?.waiting[place.number] = nil
      return
    }
    account.connections[connection]?.holder = nil
    guard !account.isOver else { return close(connection, of: &account) }
    if let next = account.lines[place.target]?.next() {
      account.connections[connection]?.holder = next
      places[next] = Place(account: place.account, target: place.target, connection: connection)
      granted.append(next)
      return
    }
    guard idleCount < BoundConnections.idleCapacity else { return close(connection, of: &account) }
    account.lines[place.target]?.idle.append(connection)
    idleCount += 1
  }

  /// The task has ended: connections under a credential that was only for it and others like it are closed.
  mutating func end(_ task: TaskIdentifier) {
    guard !memberships.isEmpty else { return }
    release(Holder(task: task, hop: .origin))
    release(Holder(task: task, hop: .proxy))
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
    if numbers[account.space, default: []].isEmpty { numbers[account.space] = nil }
    for line in account.lines.values {
      idleCount -= line.idle.count
      for connection in line.idle { close(connection, of: &account) }
      // They look for a credential again.
      for holder in line.waiting.values {
        places[holder] = nil
        granted.append(holder)
      }
    }
    account.lines = [:]
    store(account, number)
  }

  private mutating func close(_ connection: UInt64, of account: inout Account) {
    guard let known = account.connections.removeValue(forKey: connection) else { return }
    if let partition = known.partition { closed.append(partition) }
    account.lines[known.target]?.count -= 1
    // Origins behind a proxy are without number.
    if known.target != nil, account.lines[known.target]?.count == 0 { account.lines[known.target] = nil }
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

  /// The holders that have a connection now, or have to look for another credential.
  mutating func takeGranted() -> [Holder] {
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
