package import WatchwordVocabulary

/// The credentials of one account that outlive its sessions and the daemon (storage.md 9.6).
///
/// A value in memory, beside a store on the disk. A change is planned first, and counts once the store has
/// it: `plan` says what is written and removed, `apply` takes that over. What a session's rules demand at
/// once (a refused or expired credential is not used again, a use is counted) changes this value, and is
/// noted for the store. The generation of each is the number of its record, which is never given to another one.
package struct PermanentCredentials: Sendable {
  /// More than a person or a fleet of scripts gives by hand. Nothing is evicted to make room, since permanent
  /// was promised.
  package static let capacity = 16_384

  package enum Change: Sendable, Equatable {
    case store(Credential, for: [ProtectionSpace], isDefault: Bool, over: [CallersWay])
    /// From another vault; each user of a space once.
    case merge([ImportedCredential])
    /// Nil: of any user.
    case remove([ProtectionSpace], user: String?, NamedPath = .any)
    case setDefault(user: String, in: [ProtectionSpace])
    /// Refused, or expired.
    case drop(UInt64)
    /// A server has accepted one that was kept for any realm.
    case bind(UInt64, to: ProtectionSpace)
    /// The counts of uses have changed.
    case noteUses(Set<UInt64>)
    /// States that the fleet's store has.
    case adopt([FleetCredential])
    /// The fleet's store has these synchronizable ones, and no others.
    case noteMissing(except: Set<CredentialKey>)
    /// The fleet's store has written it with this revision.
    case acknowledge(OutgoingCredential, revision: Int64)
  }

  /// What a change does to the records.
  package struct Plan: Sendable {
    package internal(set) var added: [CachedCredential] = []
    /// Other states of records that are there.
    package internal(set) var updated: [CachedCredential] = []
    package internal(set) var removed: [UInt64] = []

    /// What the fleet's store has now.
    var revisions: [CredentialKey: Int64] = [:]
    /// Of the fleet, behind permanent ones of this host.
    var shadowed: Set<CredentialKey> = []

    package init() {}
  }

  package enum PlanFault: Error, Sendable, Equatable {
    case full
  }

  /// What sessions have to know of a change.
  package struct Alteration: Sendable {
    package var changes: [(key: CredentialKey, change: CredentialChange)] = []
    package var removed: Set<UInt64> = []
    /// Whether each of these is the default of its space.
    package var defaults: [UInt64: Bool] = [:]
    package var removedCount = 0
    /// The number of the record for each key that was stored.
    package var stored: [CredentialKey: UInt64] = [:]

    /// Whether it concerns no session.
    package var isSilent: Bool { changes.isEmpty && removed.isEmpty && defaults.isEmpty }
  }

  private(set) var table = CredentialTable()
  private var keys: [UInt64: CredentialKey] = [:]
  var lastNumber: UInt64 = 0
  private var requests: [Change] = []
  /// What is not used any more, until the store has removed it.
  private var dropped: [UInt64: Dropped] = [:]
  /// Records with limits on their use whose counts the store does not have yet.
  private var used: Set<UInt64> = []
  /// What is to be told the fleet, and what is known of it.
  package internal(set) var fleet = FleetState()

  private struct Dropped {
    let key: CredentialKey
    /// What tells the fleet; nil: nothing does.
    let removal: CachedCredential?
  }

  package init() {}

  /// The contents of a store; of two for one user of a space, the newer one.
  package init(_ entries: [CachedCredential]) {
    for var entry in entries.sorted(on: \.generation) {
      let key = entry.key
      lastNumber = max(lastNumber, entry.generation)
      if entry.isRemoval {
        fleet.noteRemoval(entry, at: key)
        continue
      }
      if let older = table[key] {
        keys[older.generation] = nil
        fleet.forget(older.generation)
      }
      let isDefault = entry.isDefault
      entry.isDefault = false
      put(entry, at: key, isDefault: isDefault)
    }
  }

  package var count: Int { table.count }
  var isEmpty: Bool { table.isEmpty }
  package var byteCount: Int { table.byteCount }
  /// Where they are kept, in the order in which they were stored.
  package var keysInOrder: [CredentialKey] { table.keys }
  /// In the order in which they were stored.
  package var all: [CachedCredential] { table.all }

  package subscript(number: UInt64) -> CachedCredential? { keys[number].flatMap { table[$0] } }

  package func entry(_ key: CredentialKey) -> CachedCredential? { table[key] }

  // MARK: Using

  /// The one that may answer a challenge of this space: the user's, or the default user's without a name;
  /// those of any realm come last.
  ///
  /// - Parameter ways: those of the use that callers have chosen; nil: whatever they are.
  mutating func candidate(
    for space: ProtectionSpace, user: String?, use: CredentialUse, over ways: [CallersWay]?
  ) -> CachedCredential? {
    guard !isEmpty else { return nil }
    let wide = space.ofAnyRealm
    return candidate(forPathOf: space, user, use, ways) ?? candidate(forPathOf: wide, user, use, ways)
      ?? candidate(forAllOf: space, user, use, ways) ?? candidate(forAllOf: wide, user, use, ways)
  }

  /// The one for the longest path.
  private mutating func candidate(
    forPathOf space: ProtectionSpace, _ user: String?, _ use: CredentialUse, _ ways: [CallersWay]?
  ) -> CachedCredential? {
    for key in table.keysOfPaths(of: space, above: use.url.path)
    where user.map({ CredentialKey(space: space, user: $0, path: key.path) == key }) ?? table.isDefault(key) {
      if let entry = usable(key, use, ways) { return entry }
    }
    return nil
  }

  /// The one for the whole space.
  private mutating func candidate(
    forAllOf space: ProtectionSpace, _ user: String?, _ use: CredentialUse, _ ways: [CallersWay]?
  ) -> CachedCredential? {
    let whole = user.map { CredentialKey(space: space, user: $0) } ?? table.keys(of: space).first
    return whole.flatMap { user != nil || table.isDefault($0) ? usable($0, use, ways) : nil }
  }

  /// Whether it has one for a path which this use is for.
  func hasDefaultOfPath(
    of space: ProtectionSpace, for use: CredentialUse, _ records: inout PathDefaults
  ) -> Bool {
    records.hasAny(of: space, for: use, in: table)
  }

  private mutating func usable(_ key: CredentialKey, _ use: CredentialUse, _ ways: [CallersWay]?)
    -> CachedCredential?
  {
    guard let entry = table[key] else { return nil }
    guard !entry.record.isOver(now: use.now, wallClock: use.wallClock) else {
      drop(entry.generation, isOver: true)
      return nil
    }
    return entry.permits(use) && ways.map(entry.counts) ?? true ? entry : nil
  }

  /// The first one that could answer a challenge of this hop.
  mutating func firstCandidate(
    for use: CredentialUse, user: String?, over ways: [CallersWay]?,
    where isUsable: (AuthenticationMethod) -> Bool
  ) -> CredentialKey? {
    for space in table.spaces(of: use.url.origin)
    where space.proxyType == use.proxyType && isUsable(space.authenticationMethod) {
      // Spaces of any realm are among them.
      if let entry = candidate(forPathOf: space, user, use, ways)
        ?? candidate(forAllOf: space, user, use, ways)
      {
        return entry.key
      }
    }
    return nil
  }

  /// The first one of this hop whose limits do not allow this use.
  func firstOutsideLimits(
    for use: CredentialUse, user: String?, where isUsable: (AuthenticationMethod) -> Bool
  ) -> CachedCredential? {
    table.firstOutsideLimits(for: use, user: user, where: isUsable).flatMap { table[$0] }
  }

  /// The readable ones: of the user, or without one of the default users; the newest first.
  func readable(in named: [ProtectionSpace], user: String?) -> [CachedCredential] {
    table.readable(in: named, user: user)
  }

  mutating func noteUse(_ number: UInt64, now: Double) { noteUses(1, of: number, now: now) }

  /// - Parameter now: of the last one.
  mutating func noteUses(_ count: Int, of number: UInt64, now: Double) {
    guard count > 0, let key = keys[number] else { return }
    let isCounted: Bool? = table.change(key) { entry in
      entry.record.noteUses(count, now: now)
      return entry.record.limits.maximumUses != nil || entry.record.limits.idleSeconds != nil
    }
    if isCounted == true { used.insert(number) }
  }

  /// A server has accepted the record in this space.
  mutating func noteAcceptance(_ number: UInt64, in space: ProtectionSpace) {
    guard let entry = self[number], entry.space.isOfAnyRealm, entry.space == space.ofAnyRealm else { return }
    requests.append(.bind(number, to: space))
  }

  /// It is not used again, whatever becomes of its record on the disk.
  ///
  /// - Parameter isOver: whether its limits have ended it.
  mutating func drop(_ number: UInt64, isOver: Bool = false) {
    guard let key = keys.removeValue(forKey: number), let entry = table.remove(key) else { return }
    used.remove(number)
    fleet.forget(number)
    // What time ends, it ends on every host.
    let isToldByTime = isOver && !entry.record.isUsedUp
    dropped[number] = Dropped(key: key, removal: isToldByTime ? nil : removal(of: entry))
    requests.append(.drop(number))
  }

  package mutating func dropExpired(now: Double, wallClock: Double) {
    for key in table.keys(where: { $0.record.isOver(now: now, wallClock: wallClock) }) {
      if let number = table[key]?.generation { drop(number, isOver: true) }
    }
  }

  /// What the store has to be told since the last call.
  package mutating func takeRequests() -> [Change] {
    guard !requests.isEmpty || !used.isEmpty else { return [] }
    defer {
      requests = []
      used = []
    }
    return requests + (used.isEmpty ? [] : [.noteUses(used)])
  }

  // MARK: Changing

  /// Whether the change concerns any record.
  package func concerns(_ spaces: [ProtectionSpace], user: String?, _ path: NamedPath = .any) -> Bool {
    spaces.contains { !table.keys(in: $0, user: user, path).isEmpty }
  }

  /// What a change writes and removes. Two changes of one origin are not planned before the first is applied.
  ///
  /// - Parameter identifier: random; of what is given with it.
  package mutating func plan(
    _ change: Change, now: Double, identifier: GivingIdentifier = .random
  ) throws(PlanFault) -> Plan {
    var plan = Plan()
    switch change {
    case .store(let credential, let spaces, let isDefault, let ways):
      for space in spaces {
        store(
          credential, for: space, isDefault: isDefault, over: ways, Giving(time: now, identifier: identifier),
          in: &plan)
      }
    case .merge(let imported): merge(imported, in: &plan)
    case .remove(let spaces, let user, let path):
      let keys = Set(spaces.flatMap { table.keys(in: $0, user: user, path) })
      for entry in keys.compactMap({ table[$0] }) {
        plan.removed.append(entry.generation)
        if let removal = removal(of: entry) { plan.added.append(removal) }
      }
    case .setDefault(let user, let spaces):
      for key in Set(spaces.flatMap { table.keys(in: $0, user: user) }) {
        guard let entry = table[key], !entry.isDefault else { continue }
        endDefault(beside: key, in: &plan)
        plan.updated.append(entry.with(isDefault: true).touched())
      }
    case .drop(let number):
      plan.removed = [number]
      // It was given again meanwhile.
      if let dropped = dropped[number], let removal = dropped.removal,
        table[dropped.key]?.synchronization == nil
      {
        plan.added = [removal]
      }
    case .bind(let number, let space):
      // The first realm binds it.
      guard var entry = self[number], entry.space.isOfAnyRealm else { break }
      let key = CredentialKey(entry.credential, for: space)
      let hasDefault = table.defaultKey(beside: key) != nil
      guard table[key] == nil else { break }
      // Another credential of the fleet, in place of the old one.
      if let removal = removal(of: entry) {
        plan.added.append(removal)
        entry.synchronization = fleet.mark(given: key, after: nil)
      }
      entry.space = space
      entry.isDefault = entry.isDefault && !hasDefault
      plan.updated.append(entry)
    case .noteUses(let numbers): plan.updated = numbers.sorted().compactMap { self[$0] }
    case .adopt(let states): adopt(states, in: &plan)
    case .noteMissing(let present): noteMissing(except: present, in: &plan)
    case .acknowledge(let outgoing, let revision): acknowledge(outgoing, revision, in: &plan)
    }
    let isGrowing = plan.added.contains { !$0.isRemoval }
    guard !isGrowing || table.count + plan.added.count - plan.removed.count <= Self.capacity else {
      throw .full
    }
    return plan
  }

  /// Takes over what the store has written.
  package mutating func apply(_ plan: Plan) -> Alteration {
    var alteration = Alteration()
    alteration.removed = Set(plan.removed)
    var gone: Set<CredentialKey> = []
    for number in plan.removed {
      if let key = keys.removeValue(forKey: number) {
        _ = table.remove(key)
        used.remove(number)
        fleet.forget(number)
        gone.insert(key)
      } else if let key = dropped.removeValue(forKey: number)?.key, !table.holds(key) {
        gone.insert(key)
      } else {
        fleet.forget(number)
      }
    }
    alteration.removedCount = gone.count
    for entry in plan.updated {
      // One that was dropped meanwhile stays so.
      guard let old = keys[entry.generation], var present = table.remove(old) else { continue }
      let key = entry.key
      if present.isDefault != entry.isDefault { alteration.defaults[entry.generation] = entry.isDefault }
      present.space = entry.space
      present.synchronization = entry.synchronization
      present.record.ways = entry.record.ways
      present.record.identifier = entry.record.identifier
      present.isDefault = false
      put(present, at: key, isDefault: entry.isDefault)
      if old != key { alteration.changes += [(old, .removed), (key, .added)] }
    }
    for entry in plan.added {
      let key = entry.key
      if entry.isRemoval {
        fleet.noteRemoval(entry, at: key)
        continue
      }
      put(entry.with(isDefault: false), at: key, isDefault: entry.isDefault)
      alteration.stored[key] = entry.generation
      alteration.changes.append((key, gone.remove(key) == nil ? .added : .replaced))
    }
    alteration.changes += gone.map { ($0, .removed) }
    fleet.note(plan, removing: gone)
    return alteration
  }

  private mutating func put(_ entry: CachedCredential, at key: CredentialKey, isDefault: Bool) {
    table.insert(entry, at: key)
    keys[entry.generation] = key
    if isDefault { _ = table.setDefault(key) }
    fleet.note(entry)
  }

  /// The origins that a change concerns: those of two changes in one writing differ.
  package func origins(of change: Change) -> Set<Origin> {
    switch change {
    case .store(_, let spaces, _, _), .remove(let spaces, _, _), .setDefault(_, let spaces):
      Set(spaces.map(\.origin))
    case .merge(let imported): Set(imported.map(\.space.origin))
    case .drop(let number): Set(keys[number].map { [$0.space.origin] } ?? [])
    case .bind(_, let space): [space.origin]
    case .noteUses(let numbers): Set(numbers.compactMap { keys[$0]?.space.origin })
    case .adopt(let states): Set(states.map(\.key.space.origin))
    case .noteMissing: Set(table.all.map(\.space.origin))
    case .acknowledge(let outgoing, _): [outgoing.entry.space.origin]
    }
  }
}

extension CachedCredential {
  func with(isDefault: Bool) -> CachedCredential {
    var entry = self
    entry.isDefault = isDefault
    return entry
  }
}
