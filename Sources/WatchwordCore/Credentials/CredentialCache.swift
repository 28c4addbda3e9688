/// The credentials of one session: what was answered once and what a caller put there.
///
/// Keyed by protection space and user; one user of a space is its default. A value without I/O: every
/// change is returned or recorded in `changes`, which the driver takes and announces.
package struct CredentialCache: Sendable {
  /// Enough for every origin a host's scripts talk to; beyond it the least recently used goes.
  package static let capacity = 16_384

  /// Directories in which one credential was accepted; beyond it the oldest goes, and costs one more exchange.
  package static let scopesPerCredential = 64

  package struct Key: Hashable, Sendable {
    package let space: ProtectionSpace
    @Bytewise package var user: String?

    package init(space: ProtectionSpace, user: String?) {
      self.space = space
      _user = Bytewise(user)
    }
  }

  package enum Change: String, Sendable {
    case added
    case removed
    case replaced
  }

  private var entries: [Key: CachedCredential] = [:]
  /// The users of each space, the default first.
  private var users: [ProtectionSpace: [Key]] = [:]
  /// The spaces of each origin that hold anything.
  private var spaces: [Origin: [ProtectionSpace]] = [:]
  private var lastGeneration: UInt64 = 0
  private let capacity: Int

  /// What the servers have offered: as old as the credentials, and forgotten with them.
  package var offersSeen = OfferHistory()

  /// What has changed since the driver last took it, in order.
  package private(set) var changes: [(key: Key, change: Change)] = []

  package init(capacity: Int = CredentialCache.capacity) {
    self.capacity = max(1, capacity)
  }

  package var count: Int { entries.count }

  package mutating func takeChanges() -> [(key: Key, change: Change)] {
    defer { changes.removeAll() }
    return changes
  }

  // MARK: Looking up

  /// The accepted credential whose scope covers the URL most deeply, if its limits let it be sent unasked.
  ///
  /// Never asked for when the URL itself carries a user.
  package mutating func preemptive(for use: CredentialUse, policy: MethodPolicy) -> Key? {
    guard let candidates = spaces[use.url.origin] else { return nil }
    var best: (key: Key, depth: Int)?
    var expired = false
    for space in candidates where !policy.disabled.contains(space.authenticationMethod) && !space.isProxy {
      guard let key = users[space]?.first, let entry = entries[key], entry.isDefault else { continue }
      if isOver(entry, use) {
        expired = true
        continue
      }
      guard let depth = entry.scopeDepth(covering: use.url), entry.permits(use),
        !entry.needsConfirmation(for: use),
        entry.wasGivenForSpace || policy.allowsStored(space.authenticationMethod, over: use.url.origin)
      else { continue }
      if best.map({ depth > $0.depth }) ?? true { best = (key, depth) }
    }
    if expired { removeExpired(now: use.now, wallClock: use.wallClock) }
    return best?.key
  }

  /// The credentials that could answer a challenge of this space, the default user's first.
  ///
  /// The realm-wide `default` method of `credential/set` is stored as one entry for Basic and one for Digest.
  package mutating func candidates(for space: ProtectionSpace, use: CredentialUse) -> [CachedCredential] {
    guard let keys = users[space] else { return [] }
    let found = keys.compactMap { entries[$0] }
    guard !found.contains(where: { isOver($0, use) }) else {
      removeExpired(now: use.now, wallClock: use.wallClock)
      return candidates(for: space, use: use)
    }
    return found.filter { $0.permits(use) }
  }

  /// The generation of the newest entry of all.
  package var latestGeneration: UInt64 { lastGeneration }

  /// The first credential of the origin that a challenge could be answered with.
  package mutating func firstCandidate(for use: CredentialUse) -> Key? {
    for space in spaces[use.url.origin] ?? [] where !space.isProxy {
      if let found = candidates(for: space, use: use).first {
        return Key(space: space, user: found.credential.user)
      }
    }
    return nil
  }

  package func entry(_ key: Key) -> CachedCredential? { entries[key] }

  /// Everything held, in the order in which it was stored.
  package var all: [CachedCredential] { entries.values.sorted { $0.generation < $1.generation } }

  // MARK: Using

  /// Why an entry gave no `Authorization` value.
  package enum UseFault: Error, Sendable {
    /// It is not there any more, its limits do not let it be used (again), or its nonce has no count left: the
    /// space is to be met anew.
    case gone
    /// It cannot answer this offer.
    case unfit
  }

  /// Makes an `Authorization` value from the entry, and counts the use.
  ///
  /// `offer` is the challenge being answered; nil when the value is sent unasked, for which the entry must
  /// have met its challenge before. `isRepeated` when the same request goes out again with another nonce,
  /// which is no further use.
  package mutating func authorize(
    _ key: Key, offer: Offer?, use: CredentialUse, isRepeated: Bool = false,
    body: (DigestAlgorithm) -> DigestBody, clientNonce: () -> String
  ) throws(UseFault) -> (authorization: Authenticator.Authorization, generation: UInt64) {
    guard let index = entries.index(forKey: key) else { throw .gone }
    guard isRepeated || (entries.values[index].permits(use) && !isOver(entries.values[index], use)) else {
      throw .gone
    }
    if entries.values[index].authenticator == nil {
      guard let offer,
        let made = try? Authenticator(offer: offer, credential: entries.values[index].credential)
      else { throw .unfit }
      entries.values[index].authenticator = made
    } else if let challenge = offer?.digest {
      entries.values[index].adopt(challenge)
    }
    let made: Authenticator.Authorization?
    do throws(DigestFault) {
      made = try entries.values[index].authenticator?.authorize(
        method: use.method, target: use.url.requestTarget, body: body, clientNonce: clientNonce)
    } catch {
      // With a challenge in hand a nonce is used up only when the server gives the same one again.
      throw error == .nonceExhausted && offer == nil ? .gone : .unfit
    }
    guard let authorization = made else { throw .unfit }
    if !isRepeated { entries.values[index].uses += 1 }
    entries.values[index].lastUsed = use.now
    return (authorization, entries.values[index].generation)
  }

  /// The Digest state of an entry, changed in place; nothing happens when the entry is gone or newer.
  @discardableResult
  package mutating func updateDigest<Result>(
    _ key: Key, generation: UInt64, _ change: (inout DigestAuthenticator) -> Result
  ) -> Result? {
    guard let index = entries.index(forKey: key), entries.values[index].generation == generation,
      case .digest(var digest)? = entries.values[index].authenticator
    else { return nil }
    entries.values[index].authenticator = nil
    let result = change(&digest)
    entries.values[index].authenticator = .digest(digest)
    return result
  }

  /// Takes over Digest state that one task has made for itself and the server has accepted, unless somebody else
  /// has brought a newer nonce than the one that failed.
  package mutating func share(
    _ digest: DigestAuthenticator, for key: Key, generation: UInt64, insteadOf failedNonce: String
  ) {
    updateDigest(key, generation: generation) { shared in
      if Bytewise(shared.challenge.nonce) == Bytewise(failedNonce) { shared = digest }
    }
  }

  /// The server has accepted the entry for this URL: it may be sent unasked inside the scope from now on.
  package mutating func accepted(_ key: Key, generation: UInt64, scope: PreemptiveScope) {
    guard let index = entries.index(forKey: key), entries.values[index].generation == generation else {
      return
    }
    guard !entries.values[index].scopes.contains(scope) else { return }
    if entries.values[index].scopes.count >= CredentialCache.scopesPerCredential {
      entries.values[index].scopes.removeFirst()
    }
    entries.values[index].scopes.append(scope)
  }

  /// The server has refused the entry: it goes, unless it has been replaced since it was tried [Chromium].
  package mutating func refused(_ key: Key, generation: UInt64) {
    guard let entry = entries[key], entry.generation == generation else { return }
    // Another user is not put in its place behind everybody's back: who is next is asked.
    remove(key, promotesNext: false)
  }

  // MARK: Changing

  /// Stores a credential for a space, in place of the same user's.
  ///
  /// The same credential accepted once more, by the server's late answer to another task, changes nothing but
  /// adds its scope: the nonce in use and the count of uses stay.
  ///
  /// - Parameters:
  ///   - scope: given when a server has accepted it already.
  ///   - isDefault: whether it becomes the space's default user; the first of a space always does.
  /// - Returns: the new entry's key.
  @discardableResult
  package mutating func store(
    _ credential: Credential, for space: ProtectionSpace, authenticator: Authenticator? = nil,
    scope: PreemptiveScope? = nil, isDefault: Bool = true, owner: Int32?, now: Double
  ) -> Key {
    let key = Key(space: space, user: credential.user)
    if authenticator != nil, let scope, let present = entries[key], present.credential == credential,
      present.wasGivenForSpace
    {
      accepted(key, generation: present.generation, scope: scope)
      return key
    }
    lastGeneration += 1
    let existed = entries[key] != nil
    let wasDefault = entries[key]?.isDefault ?? false
    if !existed && entries.count >= capacity { removeLeastRecentlyUsed() }
    entries[key] = CachedCredential(
      generation: lastGeneration, space: space, credential: credential, isDefault: false, created: now,
      owner: owner, wasGivenForSpace: authenticator != nil, authenticator: authenticator,
      scopes: scope.map { [$0] } ?? [])
    if !existed {
      users[space, default: []].append(key)
      if !(spaces[space.origin] ?? []).contains(space) { spaces[space.origin, default: []].append(space) }
    }
    if authenticator != nil {
      // Whoever tried it has used it once already.
      entries[key]?.uses = 1
      entries[key]?.lastUsed = now
    }
    changes.append((key, existed ? .replaced : .added))
    if isDefault || users[space]?.count == 1 || wasDefault { setDefault(key) }
    return key
  }

  /// Makes this user the default of its space; false when there is no such entry.
  @discardableResult
  package mutating func setDefault(_ key: Key) -> Bool {
    guard entries[key] != nil, var keys = users[key.space] else { return false }
    keys.removeAll { $0 == key }
    keys.insert(key, at: 0)
    users[key.space] = keys
    for other in keys { entries[other]?.isDefault = other == key }
    return true
  }

  /// - Parameter promotesNext: whether the space's next user becomes the default, when it was this one.
  @discardableResult
  package mutating func remove(_ key: Key, promotesNext: Bool = true) -> Bool {
    guard let removed = entries.removeValue(forKey: key) else { return false }
    changes.append((key, .removed))
    users[key.space]?.removeAll { $0 == key }
    if let next = users[key.space]?.first {
      if removed.isDefault && promotesNext { entries[next]?.isDefault = true }
    } else {
      users[key.space] = nil
      spaces[key.space.origin]?.removeAll { $0 == key.space }
      if spaces[key.space.origin]?.isEmpty == true { spaces[key.space.origin] = nil }
    }
    return true
  }

  /// Removes the entries of a space, of one user or of all, and says how many they were.
  package mutating func remove(space: ProtectionSpace, user: String?) -> Int {
    let keys = (users[space] ?? []).filter { user == nil || $0 == Key(space: space, user: user) }
    for key in keys { remove(key) }
    return keys.count
  }

  package mutating func removeAll() {
    offersSeen = OfferHistory()
    for key in entries.keys.sorted(by: { $0.space.origin.description < $1.space.origin.description }) {
      remove(key)
    }
  }

  package mutating func removeExpired(now: Double, wallClock: Double) {
    let over = entries.filter { $0.value.isOver(now: now, wallClock: wallClock) }
    for key in over.keys { remove(key) }
  }

  private func isOver(_ entry: CachedCredential, _ use: CredentialUse) -> Bool {
    entry.isOver(now: use.now, wallClock: use.wallClock)
  }

  private mutating func removeLeastRecentlyUsed() {
    let oldest = entries.min {
      ($0.value.lastUsed ?? $0.value.created) < ($1.value.lastUsed ?? $1.value.created)
    }
    if let oldest { remove(oldest.key) }
  }
}
