internal import WatchwordVocabulary

/// Copies of the account's permanent credentials (storage.md 9.6): a session uses one like its own once a
/// server has accepted it, with scope, nonce and connections of its own.
extension SessionMemory {
  func isCopy(_ key: CredentialKey) -> Bool { table.permanentNumber(of: key) != nil }

  /// The record that may answer a challenge of this space.
  func permanentCandidate(
    for space: ProtectionSpace, user: String?, use: CredentialUse
  ) -> CachedCredential? {
    guard !permanent.isEmpty else { return nil }
    return permanent.candidate(for: space, user: user, use: use, over: ways.ways(of: use))
  }

  /// The first record that could answer a challenge of this hop, and the first one that only the callers'
  /// ways keep from it.
  func permanentCandidates(
    for use: CredentialUse, user: String?, where isUsable: (AuthenticationMethod) -> Bool
  ) -> (usable: CredentialKey?, passedOver: CredentialKey?) {
    guard !permanent.isEmpty else { return (nil, nil) }
    let over = ways.ways(of: use)
    let usable = permanent.firstCandidate(for: use, user: user, over: over, where: isUsable)
    let any = permanent.firstCandidate(for: use, user: user, over: nil, where: isUsable)
    return (usable, any == usable ? nil : any)
  }

  /// A server has accepted the record in this space.
  func storeCopy(
    of number: UInt64, _ credential: Credential, for space: ProtectionSpace, authenticator: Authenticator,
    scope: PreemptiveScope, now: Double
  ) {
    permanent.noteAcceptance(number, in: space)
    let key = CredentialKey(credential, for: space)
    if let present = table[key] {
      // Another task was faster; a credential of the session's own stays, too.
      if present.permanentNumber == number { accepted(key, generation: present.generation, scope: scope) }
      return
    }
    // Removed meanwhile.
    guard permanent[number] != nil else { return }
    let isDefault = table.defaultKey(beside: key) == nil
    store(
      credential, for: space, authenticator: authenticator, scope: scope, isDefault: isDefault, owner: nil,
      now: now)
    markCopy(key, of: number)
  }

  /// A session has the records that go with the first request from then on, before a server has judged them
  /// (storage.md 9.6.5).
  func copyPreemptiveRecords(for use: CredentialUse, _ policy: MethodPolicy) {
    guard permanent.hasPreemptive, policy.allowsFirst(over: use.url.origin) else { return }
    for entry in permanent.preemptive(for: use, over: ways.ways(of: use)) where !table.holds(entry.key) {
      storeCopy(of: entry, now: use.now)
    }
  }

  private func storeCopy(of entry: CachedCredential, now: Double) {
    let key = entry.key
    store(
      entry.credential, for: entry.space, isDefault: table.defaultKey(beside: key) == nil, owner: nil,
      now: now)
    markCopy(key, of: entry.generation)
  }

  /// The entry that was stored last is a copy of this record. The holders know of the record.
  private func markCopy(_ key: CredentialKey, of number: UInt64) {
    changes.removeLast()
    copies[number] = key
    _ = table.change(key) {
      $0.permanentNumber = number
      $0.wasGivenForSpace = false
    }
  }

  /// The uses of an entry whose record is being written.
  struct UnwrittenUses: Sendable {
    /// Writings that have not ended.
    var writings = 0
    /// As it was when the entry was removed meanwhile; nil: it is there.
    var record: UseRecord?
  }

  /// A credential that a reply gave is about to be written to the account's.
  func beginKeeping(generation: UInt64) {
    beingKept[generation, default: UnwrittenUses()].writings += 1
  }

  /// The record's own count begins with the uses that the entry has had (storage.md 9.6.7).
  private func countUnwritten(_ key: CredentialKey, generation: UInt64, for number: UInt64?) {
    let unwritten = beingKept[generation]
    beingKept[generation]?.writings -= 1
    if beingKept[generation]?.writings ?? 0 <= 0 { beingKept[generation] = nil }
    guard let number else { return }
    let present = table[key].flatMap { $0.generation == generation ? $0.record : nil }
    guard let record = present ?? unwritten?.record, let used = record.lastUsed else { return }
    permanent.noteUses(record.uses, of: number, now: used)
  }

  /// A credential that a reply gave is a record now; nil: it could not be written, and stays the session's
  /// own.
  func link(_ key: CredentialKey, generation: UInt64, to number: UInt64?) {
    countUnwritten(key, generation: generation, for: number)
    guard let number, table[key]?.generation == generation else { return }
    copies[number] = key
    let persistence = permanent[number]?.credential.persistence ?? .permanent
    _ = table.change(key) {
      $0.permanentNumber = number
      $0.credential.persistence = persistence
    }
  }

  /// The account's credentials have changed. Returns the changes that concern the session's holders.
  func follow(_ alteration: PermanentCredentials.Alteration) -> [(
    key: CredentialKey, change: CredentialChange
  )] {
    for number in alteration.removed {
      if let key = copies[number] { remove(key) }
    }
    for (number, isDefault) in alteration.defaults {
      guard let key = copies[number] else { continue }
      if !isDefault { _ = table.change(key) { $0.isDefault = false } }
      // A default of the session's own stays.
      let first = table.keys(beside: key).first.flatMap { table[$0] }
      if isDefault, first?.isDefault != true || first?.permanentNumber != nil { setDefault(key) }
    }
    let told = Set(takeChanges().map(\.key))
    return told.map { ($0, .removed) }
      + alteration.changes.filter { !told.contains($0.key) && !table.holds($0.key) }
  }
}
