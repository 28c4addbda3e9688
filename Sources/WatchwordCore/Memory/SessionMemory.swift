package import WatchwordVocabulary

/// What one session remembers of its credentials and of the servers: what was answered once and what a caller
/// put there, with a part for each subject.
///
/// One object, which the session owns and lends to the machine of a task for an event: it is too large to be
/// copied. A closure that one of its parts is given may use the other parts, and not that one. Without I/O:
/// every change is returned or recorded in `changes`, which the session takes and announces. Credentials are
/// keyed by protection space and user; one user of a space may be its default. A key of one realm also finds
/// the same user's credential for any realm, until a server binds it to a realm by accepting it.
package final class SessionMemory {
  /// Enough for every origin a host's scripts talk to; beyond it the least recently used goes.
  package static let capacity = 16_384

  /// Changes at once of which holders are told each; of more, as after an import or a reset, they are told
  /// the number (storage.md 9.6.10).
  static let changesTold = 64

  var table = CredentialTable()
  private var lastGeneration: UInt64 = 0
  private let capacity: Int

  /// What the servers have offered: as old as the credentials, and forgotten with them.
  package internal(set) var offersSeen = OfferHistory()

  /// Where requests go one at a time; what is known of the servers outlives `session/reset`.
  var turns = NonceTurns()

  /// Who tries what no server has judged lately.
  var trials = CredentialTrials()

  /// What is known of the servers' nonces; outlives `session/reset`.
  var nonces = ServerNonces()

  /// The connections that connection-bound credentials have authenticated.
  var bound = BoundConnections()

  /// What was given from outside the session.
  var netrc = NetrcStore(nil)

  /// The account's, lent to the session for each event; empty with private storage.
  var permanent = PermanentCredentials()

  /// What callers have chosen of the ways to servers.
  var ways = CallersWays()

  /// The copies of these, by the numbers of their records.
  var copies: [UInt64: CredentialKey] = [:]

  /// Entries that are being written to the account's, by generation, with their uses so far.
  var beingKept: [UInt64: UnwrittenUses] = [:]

  var refusedUserinfo = RefusedUserinfo()
  /// Outlives `session/reset`: it concerns tasks that run.
  var refusedOutside = RefusedOutside()

  /// How often a login form of an origin was filled in with success; the session's rules name few origins.
  var logins: [Origin: Int] = [:]

  /// What servers have made of credentials since the session last recorded it, in order.
  private(set) var verdicts: [CredentialVerdict] = []

  /// What servers have refused since the session last took it.
  private var refusedMarks: [(space: ProtectionSpace, mark: CredentialMark)] = []

  /// What has changed since the session last took it, in order.
  var changes: [(key: CredentialKey, change: CredentialChange)] = []

  package init(capacity: Int = SessionMemory.capacity) {
    self.capacity = max(1, capacity)
  }

  package var count: Int { table.count }

  /// As long as it stays, the same credential is sent unasked, unless its limits end it; nil while there are
  /// copies of permanent ones, which other sessions change.
  var revision: UInt64? { copies.isEmpty ? table.revision : nil }

  /// The bytes of all texts that are kept.
  package var byteCount: Int { table.byteCount }

  /// What is kept about the servers' nonces, in bytes.
  package var nonceBytes: Int { nonces.heldBytes }

  /// How many bytes more are kept when this one is stored for these spaces.
  package func growth(storing credential: Credential, for spaces: [ProtectionSpace]) -> Int {
    spaces.reduce(0) { sum, space in
      let replaced = table[CredentialKey(credential, for: space)]
      return sum + credential.byteCount + (space.realm?.count ?? 0) - (replaced?.byteCount ?? 0)
    }
  }

  func takeChanges() -> [(key: CredentialKey, change: CredentialChange)] {
    defer { changes.removeAll() }
    return changes
  }

  /// In place: there is one in nearly every fetch that carries a credential.
  func forgetVerdicts() { verdicts.removeAll(keepingCapacity: true) }

  /// A server, or a realm, has refused it.
  func noteRefused(_ kind: Credential.Kind, in space: ProtectionSpace) {
    refusedMarks.append((space, CredentialMark(kind)))
  }

  func takeRefusedMarks() -> [(space: ProtectionSpace, mark: CredentialMark)] {
    guard !refusedMarks.isEmpty else { return [] }
    defer { refusedMarks = [] }
    return refusedMarks
  }

  /// A server has judged what it was sent.
  ///
  /// - Parameter entry: what was sent is this entry, or is made from it; nil for one on trial.
  func note(
    _ outcome: HistoryEntry.Outcome, of kind: Credential.Kind, in space: ProtectionSpace,
    entry: CredentialKey?
  ) {
    let owner = entry.flatMap { table[$0]?.owner }
    verdicts.append(CredentialVerdict(outcome: outcome, space: space, kind: kind, owner: owner))
  }

  func nextGeneration() -> UInt64 {
    lastGeneration += 1
    return lastGeneration
  }

  /// The generation of the newest entry of all.
  package var latestGeneration: UInt64 { lastGeneration }

  package func entry(_ key: CredentialKey) -> CachedCredential? { table[key] ?? table[key.ofAnyRealm] }

  /// The credential of the space's default user.
  package func defaultEntry(of space: ProtectionSpace) -> CachedCredential? {
    table.keys(of: space).first.flatMap { table[$0] }.flatMap { $0.isDefault ? $0 : nil }
  }

  /// What is kept there itself, without the one for any realm.
  package func held(at key: CredentialKey) -> CachedCredential? { table[key] }

  /// Where everything is kept, in the order in which it was stored.
  package var keys: [CredentialKey] { table.keys }

  /// Everything held, in the order in which it was stored.
  package var all: [CachedCredential] { table.all }

  /// Stores a credential for a space, in place of the same user's.
  ///
  /// The same credential accepted once more, by the server's late answer to another task, changes nothing but
  /// adds its scope: the nonce in use and the count of uses stay.
  ///
  /// - Parameters:
  ///   - scope: given when a server has accepted it already.
  ///   - isDefault: whether it becomes the space's default user; otherwise the default stays as it is.
  ///   - isFromURL: whether it is the userinfo of a proxy's URL, which neither replaces another credential
  ///     nor becomes the default.
  ///   - ways: a proxy of the task's own and a named host, where it was given (storage.md 9.2.7).
  /// - Returns: the new entry's key.
  @discardableResult
  func store(
    _ credential: Credential, for space: ProtectionSpace, authenticator: Authenticator? = nil,
    scope: PreemptiveScope? = nil, isDefault: Bool = true, isFromURL: Bool = false,
    over ways: [CallersWay] = [], owner: ProcessIdentifier?, now: Double
  ) -> CredentialKey {
    let key = CredentialKey(credential, for: space)
    if isFromURL, let present = table[key], !present.isFromURL { return key }
    if authenticator != nil, let scope, let present = table[key], present.credential == credential,
      present.wasGivenForSpace
    {
      accepted(key, generation: present.generation, scope: scope)
      table.add(ways, to: key)
      return key
    }
    let generation = nextGeneration()
    let replaced = table[key]
    if replaced == nil && table.count >= capacity, let oldest = table.leastRecentlyUsed() { remove(oldest) }
    var entry = CachedCredential(
      generation: generation, space: space, credential: credential, isDefault: false,
      record: UseRecord(limits: credential.limits, created: now, ways: GivenWays(ways)), owner: owner,
      wasGivenForSpace: authenticator != nil, authenticator: authenticator,
      scopes: scope.map { [$0] } ?? [])
    entry.isFromURL = isFromURL
    // The task that tried it has used it once already.
    if authenticator != nil { entry.record.noteUse(now: now) }
    table.insert(entry, at: key)
    changes.append((key, replaced == nil ? .added : .replaced))
    if isFromURL { return key }
    if isDefault || replaced?.isDefault == true { setDefault(key) }
    return key
  }

  /// Makes this user the default of its space; false when there is no such entry.
  @discardableResult
  func setDefault(_ key: CredentialKey) -> Bool {
    table.setDefault(key)
  }

  /// Makes this user the default of every space named; false when it has a credential in none.
  func setDefault(user: String, in named: ProtectionSpace) -> Bool {
    let keys = table.spaces(named: named).flatMap { table.keys(of: user, in: $0) }
    for key in keys { setDefault(key) }
    return !keys.isEmpty
  }

  /// Removes an entry. One that was the default leaves none: another user's is never promoted silently
  /// (storage.md 9.3.2).
  @discardableResult
  func remove(_ key: CredentialKey) -> Bool {
    guard let removed = table.remove(key) else { return false }
    if let number = removed.permanentNumber { copies[number] = nil }
    if !beingKept.isEmpty { beingKept[removed.generation]?.record = removed.record }
    changes.append((key, .removed))
    return true
  }

  /// Removes the entries of the spaces named, of one user or of all, and says how many they were.
  func remove(space named: ProtectionSpace, user: String?, _ path: NamedPath = .any) -> Int {
    var removed = 0
    // Copies follow their records.
    for key in table.keys(in: named, user: user, path) where !isCopy(key) && remove(key) { removed += 1 }
    return removed
  }

  func removeAll() {
    offersSeen = OfferHistory()
    refusedUserinfo = RefusedUserinfo()
    trials.forget()
    let removed = table.removeAll()
    copies = [:]
    if !beingKept.isEmpty {
      for entry in removed.values { beingKept[entry.generation]?.record = entry.record }
    }
    // Of so many, holders are told the number only, which needs no order.
    guard removed.count <= SessionMemory.changesTold else {
      for key in removed.keys { changes.append((key, .removed)) }
      return
    }
    // The text is made once for each, not for each comparison.
    let keys = removed.keys.map { (origin: $0.space.origin.description, key: $0) }
    for named in keys.sorted(on: \.origin) { changes.append((named.key, .removed)) }
  }

  func removeExpired(now: Double, wallClock: Double) {
    for key in table.keys(where: { isOver($0, now: now, wallClock: wallClock) }) { removeExpired(key) }
  }

  func removeExpired(_ key: CredentialKey) {
    if let number = table.permanentNumber(of: key) { permanent.drop(number, isOver: true) }
    remove(key)
  }

  func isOver(_ entry: CachedCredential, _ use: CredentialUse, isRepeated: Bool = false) -> Bool {
    isOver(entry, now: use.now, wallClock: use.wallClock, isRepeated: isRepeated)
  }

  /// Whether its limits have ended it. Those of a copy are counted for all copies.
  private func isOver(
    _ entry: CachedCredential, now: Double, wallClock: Double, isRepeated: Bool = false
  ) -> Bool {
    let record = entry.permanentNumber.map { permanent[$0]?.record } ?? entry.record
    return record?.isOver(now: now, wallClock: wallClock, isRepeated: isRepeated) ?? true
  }
}

/// What is known of the servers' Digest nonces.
struct ServerNonces: Sendable {
  /// What was used of them, by every place a credential comes from.
  var counts = NonceCounts()
  /// Which servers take them once only.
  var reuse = NonceReuse()
  /// Which of them belong to connections.
  var ofConnections = ConnectionNonces()

  var heldBytes: Int { counts.heldBytes + reuse.heldBytes + ofConnections.heldBytes }
}
