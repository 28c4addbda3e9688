internal import WatchwordVocabulary

/// Synchronizable credentials (storage.md 9.12): `SynchronizationRule` decides about each, and the plan of a
/// change carries that out.
extension PermanentCredentials {
  // MARK: Writing into the fleet's store

  /// What is to be written next; nil when there is nothing.
  package var outgoing: OutgoingCredential? {
    guard let number = fleet.nextPending, let entry = self[number] ?? fleet.removal(numbered: number),
      let mark = entry.synchronization
    else { return nil }
    let key = CredentialKey(space: entry.space, user: entry.credential.user)
    return OutgoingCredential(
      entry: entry, version: mark.outgoingVersion, revision: fleet.revision(of: key) ?? 0)
  }

  /// Those that hosts of the fleet share.
  package var synchronizable: [CachedCredential] { all.filter { $0.synchronization != nil } }

  package mutating func readingBegins() { fleet.readingBegins() }
  package mutating func releaseHeld() { fleet.release() }
  package mutating func noteSent(_ outgoing: OutgoingCredential) {
    let key = CredentialKey(space: outgoing.entry.space, user: outgoing.entry.credential.user)
    fleet.noteSent(key, outgoing.version)
  }
  package mutating func hold(_ outgoing: OutgoingCredential) { fleet.hold(outgoing) }

  /// What tells the fleet that a credential is removed; nil for one that only this host has.
  mutating func removal(of entry: CachedCredential) -> CachedCredential? {
    guard let mark = entry.synchronization else { return nil }
    lastNumber += 1
    let kind: Credential.Kind =
      if let user = entry.credential.user { .password(user: user, password: Secret([])) } else {
        .token(Secret([]))
      }
    var removal = CachedCredential(
      generation: lastNumber, space: entry.space,
      credential: Credential(kind, persistence: .synchronizable), isDefault: false,
      record: UseRecord(created: entry.record.created, identifier: entry.record.identifier), owner: nil,
      wasGivenForSpace: false)
    removal.synchronization = SynchronizationMark(version: mark.version, pending: .removal)
    return removal
  }

  /// The store has written what was sent. What has changed since stays to be written, on top of that.
  mutating func acknowledge(_ outgoing: OutgoingCredential, _ revision: Int64, in plan: inout Plan) {
    let sent = outgoing.entry
    let key = CredentialKey(space: sent.space, user: sent.credential.user)
    plan.revisions[key] = revision
    if let removal = fleet.removal(of: key) {
      plan.removed.append(removal.generation)
      guard removal.generation != sent.generation else { return }
      lastNumber += 1
      plan.added.append(removal.renumbered(lastNumber, version: outgoing.version))
    } else if let present = table[key], let mark = present.synchronization {
      let isAsSent =
        present.generation == sent.generation && present.isDefault == sent.isDefault
        && mark == sent.synchronization
      plan.updated.append(
        present.with(
          SynchronizationMark(version: outgoing.version, pending: isAsSent ? .nothing : mark.pending)))
    }
  }

  // MARK: Reading the fleet's store

  /// A state of the store that this host has from now on.
  private struct Agreed {
    let state: FleetCredential
    let imported: ImportedCredential
    /// The record that stays; nil: another one takes its place.
    let entry: CachedCredential?
  }

  /// Takes over what the rule says. Of several defaults of a space the one that was written last counts.
  mutating func adopt(_ states: [FleetCredential], in plan: inout Plan) {
    var newest: [CredentialKey: FleetCredential] = [:]
    for state in states where (newest[state.key]?.revision ?? -1) <= state.revision {
      newest[state.key] = state
    }
    var agreed: [Agreed] = []
    for state in newest.values.sorted(by: { ($0.revision, $0.version) < ($1.revision, $1.version) })
    where isNews(state) {
      if let one = adopt(state, in: &plan) { agreed.append(one) }
    }
    let defaults = defaults(among: agreed, in: &plan)
    for one in agreed {
      settle(one, isDefault: defaults[one.state.key.space]?.key == one.state.key, in: &plan)
    }
    let removed = Set(plan.removed)
    plan.updated.removeAll { removed.contains($0.generation) }
  }

  /// The new defaults; one that is not among these states, and was written before, ends.
  private func defaults(among agreed: [Agreed], in plan: inout Plan) -> [ProtectionSpace: FleetCredential] {
    var defaults: [ProtectionSpace: FleetCredential] = [:]
    for one in agreed where one.imported.isDefault { defaults[one.state.key.space] = one.state }
    let keys = Set(agreed.map(\.state.key))
    for (space, claim) in defaults {
      guard let first = table.keys(of: space).first, let entry = table[first], entry.isDefault,
        !keys.contains(first)
      else { continue }
      let isWaiting = entry.synchronization.map { $0.pending != .nothing && $0.pending != .copy } ?? true
      if isWaiting || fleet.revision(of: first) ?? 0 > claim.revision {
        // This host's own comes first, and what it has to tell is written later than this.
        defaults[space] = nil
      } else {
        plan.updated.append(entry.with(isDefault: false))
      }
    }
    return defaults
  }

  /// Whether it is not known already, or older than what is known.
  private func isNews(_ state: FleetCredential) -> Bool {
    guard let known = fleet.revision(of: state.key), state.revision > 0 else { return true }
    return state.revision > known
  }

  private mutating func adopt(_ state: FleetCredential, in plan: inout Plan) -> Agreed? {
    plan.revisions[state.key] = state.revision
    let present = table[state.key]
    let removal = fleet.removal(of: state.key)
    if let present, present.synchronization == nil {
      plan.shadowed.insert(state.key)
      return nil
    }
    var known: Int64 = 0
    if case .credential(let imported) = state.content, isOwn(state, imported, present) {
      known = state.version
      if let present, present.isDefault == imported.isDefault {
        return Agreed(state: state, imported: imported, entry: present.agreed(known, as: imported))
      }
    }
    let local = local(present, removal, known: known)
    switch SynchronizationRule.outcome(local, remote(state, present ?? removal)) {
    case .nothing: break
    case .agree(let version):
      if let present, case .credential(let imported) = state.content {
        return Agreed(state: state, imported: imported, entry: present.agreed(version, as: imported))
      } else if let removal {
        plan.removed.append(removal.generation)
      }
    case .push(let mark):
      if let present {
        if present.synchronization != mark { plan.updated.append(present.with(mark)) }
      } else if let removal, removal.synchronization != mark {
        lastNumber += 1
        plan.removed.append(removal.generation)
        plan.added.append(removal.renumbered(lastNumber, version: mark.version))
      }
    case .take:
      if case .credential(let imported) = state.content {
        if let removal { plan.removed.append(removal.generation) }
        // The sessions' copies and the count of uses stay.
        let same = present.flatMap {
          $0.credential == imported.credential ? $0.agreed(state.version, as: imported) : nil
        }
        return Agreed(state: state, imported: imported, entry: same)
      }
      if let present { plan.removed.append(present.generation) }
    }
    return nil
  }

  /// Whether the store shows what this host has sent, perhaps without a reply: what was changed since is on
  /// top of it.
  private func isOwn(_ state: FleetCredential, _ imported: ImportedCredential, _ present: CachedCredential?)
    -> Bool
  {
    guard let present, state.version == fleet.sentVersion(of: state.key) else { return false }
    return present.isSame(as: imported)
  }

  /// - Parameter known: the version of this credential that the store has from this host, which may not have
  ///   heard of it: what it has changed since is on top of that; 0 when there is none.
  private func local(_ present: CachedCredential?, _ removal: CachedCredential?, known: Int64)
    -> SynchronizationRule.Local
  {
    if let present, var mark = present.synchronization {
      if known > 0, mark.pending == .attributes || mark.pending == .credential {
        mark = SynchronizationMark(version: max(mark.version, known), pending: .attributes)
      }
      return .present(mark, given: present.record.giving)
    }
    return removal.map { .removed(version: $0.synchronization?.version ?? 0) } ?? .none
  }

  /// - Parameter entry: the credential of this host, or its removal.
  private func remote(_ state: FleetCredential, _ entry: CachedCredential?) -> SynchronizationRule.Remote {
    switch state.content {
    case .absent: .absent
    case .removed: .removed(version: state.version)
    case .over: .over(version: state.version)
    case .credential(let imported):
      .present(
        version: state.version, given: imported.record.giving, isSame: entry?.isSame(as: imported) == true)
    }
  }

  private mutating func settle(_ agreed: Agreed, isDefault: Bool, in plan: inout Plan) {
    let present = table[agreed.state.key]
    if let entry = agreed.entry {
      let ways = entry.record.ways.with(agreed.imported.record.ways)
      let isNew =
        present?.isDefault != isDefault || present?.synchronization != entry.synchronization
        || present?.record.ways != ways || present?.record.identifier != entry.record.identifier
      if isNew { plan.updated.append(entry.with(isDefault: isDefault).with(ways)) }
      return
    }
    lastNumber += 1
    if let present { plan.removed.append(present.generation) }
    let imported = agreed.imported
    var entry = CachedCredential(
      generation: lastNumber, space: imported.space, credential: imported.credential, isDefault: isDefault,
      record: imported.record, owner: nil, wasGivenForSpace: false)
    entry.synchronization = SynchronizationMark(version: agreed.state.version, pending: .nothing)
    plan.added.append(entry)
  }

  /// The store was read as a whole: what it has lost is written again.
  mutating func noteMissing(except present: Set<CredentialKey>, in plan: inout Plan) {
    for entry in synchronizable {
      let key = CredentialKey(space: entry.space, user: entry.credential.user)
      guard !present.contains(key), entry.synchronization?.pending == .nothing else { continue }
      _ = adopt(FleetCredential(key: key, version: 0, revision: 0, .absent), in: &plan)
    }
  }
}

extension CachedCredential {
  /// Whether it only tells the fleet of a removal.
  package var isRemoval: Bool { synchronization?.pending == .removal }

  fileprivate func renumbered(_ number: UInt64, version: Int64) -> CachedCredential {
    var removal = CachedCredential(
      generation: number, space: space, credential: credential, isDefault: false, record: record, owner: nil,
      wasGivenForSpace: false)
    removal.synchronization = SynchronizationMark(version: version, pending: .removal)
    return removal
  }

  /// Whether both are of one giving; a removal knows only that.
  fileprivate func isSame(as imported: ImportedCredential) -> Bool {
    record.identifier == imported.record.identifier && (isRemoval || credential == imported.credential)
  }

  /// As the store has it, with the uses of this host.
  fileprivate func agreed(_ version: Int64, as imported: ImportedCredential) -> CachedCredential {
    var entry = with(SynchronizationMark(version: version, pending: .nothing))
    entry.record.identifier = imported.record.identifier
    return entry
  }

  func with(_ mark: SynchronizationMark) -> CachedCredential {
    var entry = self
    entry.synchronization = mark
    return entry
  }

  /// Its attributes have changed on this host.
  func touched() -> CachedCredential {
    guard let mark = synchronization, mark.pending != .credential else { return self }
    return with(SynchronizationMark(version: mark.version, pending: .attributes))
  }
}
