internal import WatchwordVocabulary

/// What is written when a credential is given, here or to another vault (storage.md 9.3 and 9.6.11).
extension PermanentCredentials {
  /// Of one user of a space the one that was given later stays; a space keeps the default that it has (storage.md
  /// 9.6.11).
  mutating func merge(_ imported: [ImportedCredential], in plan: inout Plan) {
    var withDefault: Set<Key> = []
    for one in imported {
      let present = table[one.key]
      let place = Key(space: one.space, user: nil, path: one.key.path)
      let becomesDefault =
        one.isDefault && table.defaultKey(beside: place) == nil && withDefault.insert(place).inserted
      if let present, present.credential == one.credential || present.record.created >= one.record.created {
        let isSame = present.credential.kind == one.credential.kind
        let ways = isSame ? present.record.ways.with(one.record.ways) : present.record.ways
        let renewed = present.with(isDefault: present.isDefault || becomesDefault).with(ways)
        if !renewed.isSaidBy(present) { plan.updated.append(renewed.touched()) }
        continue
      }
      lastNumber += 1
      if let present {
        plan.removed.append(present.generation)
        if present.synchronization != nil { plan.shadowed.insert(one.key) }
      }
      plan.added.append(
        Entry(
          generation: lastNumber, space: one.space, credential: one.credential,
          isDefault: becomesDefault || present?.isDefault ?? false, record: one.record, owner: nil,
          wasGivenForSpace: false))
    }
  }

  mutating func store(
    _ credential: Credential, for space: ProtectionSpace, isDefault: Bool, over ways: [CallersWay],
    _ giving: Giving, in plan: inout Plan
  ) {
    let key = Key(credential, for: space)
    let present = table[key]
    let becomesDefault = isDefault || present?.isDefault == true
    if becomesDefault, present?.isDefault != true { endDefault(beside: key, in: &plan) }
    let isSame = present?.credential.kind == credential.kind
    let given = (isSame ? present?.record.ways.with(ways) : nil) ?? GivenWays(ways)
    if let present, present.credential == credential, credential.limits == CredentialLimits() {
      let renewed = present.with(isDefault: becomesDefault).with(given)
      if !renewed.isSaidBy(present) { plan.updated.append(renewed.touched()) }
      return
    }
    lastNumber += 1
    if let present { plan.removed.append(present.generation) }
    if credential.persistence == .synchronizable, let path = credential.givenPath,
      let older = table[Key(space: space, user: credential.user, path: path)]
    {
      plan.removed.append(older.generation)
    }
    var entry = Entry(
      generation: lastNumber, space: space, credential: credential, isDefault: becomesDefault,
      record: UseRecord(limits: credential.limits, created: giving.time, ways: given), owner: nil,
      wasGivenForSpace: false)
    if credential.persistence == .synchronizable {
      entry.synchronization = fleet.mark(given: key, after: present?.synchronization)
      entry.record.identifier = giving.identifier
      if let removal = fleet.removal(of: key) { plan.removed.append(removal.generation) }
    } else if present?.synchronization != nil {
      plan.shadowed.insert(key)
    }
    plan.added.append(entry)
  }

  func endDefault(beside key: Key, in plan: inout Plan) {
    guard let entry = table.defaultKey(beside: key).flatMap({ table[$0] }) else { return }
    plan.updated.append(entry.with(isDefault: false).touched())
  }
}

extension CachedCredential {
  func with(_ ways: GivenWays) -> CachedCredential {
    var entry = self
    entry.record.ways = ways
    return entry
  }

  /// Whether it may be sent over these ways, which callers have chosen (storage.md 9.6.12). They may read a readable
  /// one.
  func counts(over ways: [CallersWay]) -> Bool {
    credential.isReadable || record.ways.includes(ways.concerning(space))
  }

  /// Whether the other one, of the same credential, has the same attributes.
  fileprivate func isSaidBy(_ present: CachedCredential) -> Bool {
    isDefault == present.isDefault && record.ways == present.record.ways
  }
}
