internal import WatchwordVocabulary

/// What is written when a credential is given, here or to another vault (storage.md 9.3 and 9.6.11).
extension PermanentCredentials {
  /// Of one user of a space the one that was given later stays; a space keeps the default that it has
  /// (storage.md 9.6.11).
  mutating func merge(_ imported: [ImportedCredential], in plan: inout Plan) {
    var withDefault: Set<CredentialKey> = []
    for one in imported {
      let present = table[one.key]
      let place = CredentialKey(space: one.space, user: nil, path: one.key.path)
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
        CachedCredential(
          generation: lastNumber, space: one.space, credential: one.credential,
          isDefault: becomesDefault || present?.isDefault ?? false, record: one.record, owner: nil,
          wasGivenForSpace: false))
    }
  }

  mutating func store(
    _ credential: Credential, for space: ProtectionSpace, isDefault: Bool, over ways: [CallersWay],
    _ giving: Giving, in plan: inout Plan
  ) {
    let key = CredentialKey(credential, for: space)
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
      let older = table[CredentialKey(space: space, user: credential.user, path: path)]
    {
      plan.removed.append(older.generation)
    }
    var entry = CachedCredential(
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

  func endDefault(beside key: CredentialKey, in plan: inout Plan) {
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

  /// Whether it may be sent over these ways, which callers have chosen (storage.md 9.6.12). They may read a
  /// readable one.
  func counts(over ways: [CallersWay]) -> Bool {
    credential.isReadable || record.ways.includes(ways.concerning(space))
  }

  /// Whether the other one, of the same credential, has the same attributes.
  fileprivate func isSaidBy(_ present: CachedCredential) -> Bool {
    isDefault == present.isDefault && record.ways == present.record.ways
  }
}

/// The records that go with the first request (storage.md 9.4.6).
extension PermanentCredentials {
  /// Whether any goes with the first request: nearly none does.
  var hasPreemptive: Bool { table.preemptiveCount > 0 }

  /// Where an origin has records.
  func spaces(of origin: Origin) -> [ProtectionSpace] { table.spaces(of: origin) }

  /// The default users' records of this hop that go with this request before the server asks.
  func preemptive(for use: CredentialUse, over ways: [CallersWay]) -> [CachedCredential] {
    table.spaces(of: use.url.origin).filter { $0.proxyType == use.proxyType }
      .flatMap { table.defaultsOfPaths(of: $0, for: use) + table.keys(of: $0).prefix(1) }
      .compactMap { table[$0] }
      .filter { entry in
        entry.credential.isPreemptive && entry.isDefault && entry.permits(use) && entry.counts(over: ways)
          && !entry.record.isOver(now: use.now, wallClock: use.wallClock)
      }
  }
}

extension PermanentCredentials.Change {
  /// What a change that a caller sends takes until it is on the disk: the texts, those of its records, and
  /// these sealed.
  package var heldBytes: Int {
    switch self {
    case .store(let credential, let spaces, _, _):
      spaces.reduce(0) {
        let texts = credential.byteCount + ($1.realm?.count ?? 0)
        return $0 + HeldBytes.credential + HeldBytes.copiesInTransaction * texts
      }
    // They are small, or counted by who has brought them.
    case .merge, .remove, .setDefault, .drop, .bind, .noteUses, .adopt, .noteMissing, .acknowledge:
      HeldBytes.credential
    }
  }
}

extension ProtectionSpace {
  /// What one that is remembered takes beside the credentials: its texts, itself, and its place in a table.
  var heldBytes: Int {
    2 * HeldBytes.text(0) + HeldBytes.text(origin.host) + HeldBytes.text(realm?.count ?? 0)
  }

  /// What the question of a handshake takes: the certificates that the server has shown, or the authorities
  /// that it names.
  var questionBytes: Int {
    if let serverTrust { return serverTrust.certificates.reduce(0) { $0 + $1.heldBytes } }
    return certificateRequest?.issuers.reduce(0) { $0 + HeldBytes.text($1.text) + HeldBytes.text(0) } ?? 0
  }
}

extension Certificate {
  /// Bytes that it takes.
  fileprivate var heldBytes: Int {
    let texts = [subject, issuer, serialNumber] + subjectAlternativeNames
    // Its fingerprints are two more.
    return texts.reduce(HeldBytes.text(der.count) + 2 * HeldBytes.text(0)) { $0 + HeldBytes.text($1) }
  }
}
