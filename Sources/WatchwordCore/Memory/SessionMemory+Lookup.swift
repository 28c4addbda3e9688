internal import WatchwordVocabulary

/// Which of the session's credentials may answer a challenge, or be sent unasked (storage.md 9.2 and 9.4).
extension SessionMemory {
  /// The credential whose scope covers the URL most deeply, if its limits let it be sent unasked: one that
  /// the server has accepted, or that was given to go with the first request.
  ///
  /// Never asked for when the origin's URL itself carries a user.
  ///
  /// - Parameter named: the userinfo of the proxy's URL, of which that is said; nil: the default user's is
  ///   wanted.
  func preemptive(
    for use: CredentialUse, naming named: Credential.Kind? = nil, policy: MethodPolicy
  ) -> CredentialKey? {
    // Of equally deep ones, that which was stored first.
    var best: (key: CredentialKey, depth: Int, generation: UInt64)?
    var expired = false
    copyPreemptiveRecords(for: use, policy)
    var (ours, records) = (PathDefaults(), PathDefaults())
    func consider(_ key: CredentialKey, where isWanted: (CachedCredential) -> Bool = { _ in true }) {
      table.read(key) { entry in
        guard isWanted(entry) else { return }
        if isOver(entry, use) {
          expired = true
          return
        }
        guard !isBehindPath(entry, key.space, use, &records),
          let depth = entry.scopeDepth(covering: use.url, policy),
          entry.permits(use), counts(entry, for: use), !entry.needsConfirmation(for: use.process)
        else { return }
        if best.map({ (depth, $0.generation) > ($0.depth, entry.generation) }) ?? true {
          best = (key, depth, entry.generation)
        }
      }
    }
    for space in table.spaces(of: use.url.origin)
    where policy.mayAnswer(space.authenticationMethod) && space.proxyType == use.proxyType
      && (space.authenticationMethod != .digest || allowsReuse(in: space, policy))
    {
      if let named {
        consider(CredentialKey(space: space, user: named.user)) { $0.credential.kind == named }
        continue
      }
      // Nearly no session has any, and the table is not copied to see that.
      if table.hasPaths {
        for key in ours.keys(of: space, for: use, in: table) { consider(key) }
        // One for the path would be sent when the server asks.
        if ours.hasAny(of: space, for: use, in: table) { continue }
      }
      if let first = table.firstKey(of: space) { consider(first, where: \.isDefault) }
    }
    if expired { removeExpired(now: use.now, wallClock: use.wallClock) }
    return best?.key
  }

  /// Whether a Digest nonce that has served may be sent with the next request (methods.md 8.8).
  func allowsReuse(in space: ProtectionSpace, _ policy: MethodPolicy) -> Bool {
    switch policy.digest.preemptive {
    case .auto: nonces.reuse.isAllowed(in: space)
    case .always: true
    case .never: false
    }
  }

  /// Whether it is a copy of a record for the whole space, beside a record for a path which this use is for:
  /// a server that refuses it there would end it.
  private func isBehindPath(
    _ entry: CachedCredential, _ space: ProtectionSpace, _ use: CredentialUse, _ records: inout PathDefaults
  ) -> Bool {
    entry.permanentNumber != nil && entry.credential.path == nil
      && permanent.hasDefaultOfPath(of: space, for: use, &records)
  }

  /// The credentials that could answer a challenge of this space: those of its realm and then those of any
  /// realm, the default user's first. Those for a path come before those for the whole space.
  ///
  /// The realm-wide `default` method of `credential/set` is stored as one entry for Basic and one for Digest.
  func candidates(for space: ProtectionSpace, use: CredentialUse) -> [CachedCredential] {
    let anyRealm = space.ofAnyRealm
    // That of a proxy's URL, which is for those who name it, hides none.
    let wide = table.keys(of: anyRealm).filter {
      table[CredentialKey(space: space, user: $0.user)].map { space.isProxy && !$0.isDefault } ?? true
    }
    let paths = [space, anyRealm].flatMap { table.keysOfPaths(of: $0, above: use.url.path) }
    let found = (paths + table.keys(of: space) + wide).compactMap { table[$0] }
    guard !found.contains(where: { isOver($0, use) }) else {
      removeExpired(now: use.now, wallClock: use.wallClock)
      return candidates(for: space, use: use)
    }
    var records = PathDefaults()
    return found.filter {
      $0.permits(use) && counts($0, for: use) && !isBehindPath($0, space, use, &records)
    }
  }

  /// What the session has for a space, and for any realm of it.
  func kinds(of space: ProtectionSpace) -> [Credential.Kind] {
    (table.allKeys(of: space) + table.allKeys(of: space.ofAnyRealm)).compactMap { table[$0]?.credential.kind }
  }

  /// The first credential of the origin that could answer a challenge, of those that are suitable.
  func firstCandidate(
    for use: CredentialUse, where isSuitable: (CachedCredential) -> Bool
  ) -> CredentialKey? {
    // One of a realm comes before the same user's of any realm.
    let hop = table.spaces(of: use.url.origin).filter { $0.proxyType == use.proxyType }
    let spaces = hop.filter { !$0.isOfAnyRealm } + hop.filter(\.isOfAnyRealm)
    let keys = spaces.flatMap { table.keysOfPaths(of: $0, above: use.url.path) } + spaces.flatMap(table.keys)
    let found = keys.compactMap { table[$0] }
    if found.contains(where: { isOver($0, use) }) { removeExpired(now: use.now, wallClock: use.wallClock) }
    var records = PathDefaults()
    return found.first {
      !isOver($0, use) && $0.permits(use) && counts($0, for: use)
        && !isBehindPath($0, $0.space, use, &records) && isSuitable($0)
    }?.key
  }
}

/// What another program has stored to have it back (storage.md 9.9).
extension SessionMemory {
  /// Of the user, or without one of the default users: the session's own first, then the account's; those for
  /// a path before those for the whole space, and the newest first.
  func readable(in named: [ProtectionSpace], user: String?) -> [CachedCredential] {
    // Copies follow their records.
    table.readable(in: named, user: user).filter { $0.permanentNumber == nil }
      + permanent.readable(in: named, user: user)
  }

  func noteReading(of entry: CachedCredential, now: Double) {
    // A readable one is never a reply's that is still to become a record.
    guard entry.credential.persistence == .forSession else {
      return permanent.noteUse(entry.generation, now: now)
    }
    _ = table.change(entry.key) { $0.record.noteUse(now: now) }
  }
}

/// Which credentials count over the ways to servers that callers have chosen (storage.md 9.2.7 and 9.6.12).
extension SessionMemory {
  /// Whether the record counts over those of this use.
  func counts(_ number: UInt64, for use: CredentialUse) -> Bool {
    permanent[number].map { $0.counts(over: ways.ways(of: use)) } ?? false
  }

  /// The same of an entry. One of the session's own counts over what the session has chosen.
  func counts(_ entry: CachedCredential, for use: CredentialUse) -> Bool {
    entry.permanentNumber.map { counts($0, for: use) } ?? entry.counts(over: ways.waysOfTask(use))
  }

  func counts(_ key: CredentialKey, for use: CredentialUse) -> Bool {
    place(of: key).flatMap { table.read($0) { counts($0, for: use) } } ?? true
  }

  /// The first credential of this hop that is the session's own, and does not count for this use.
  func onAnotherWay(
    for use: CredentialUse, user: String?, where isUsable: (AuthenticationMethod) -> Bool
  ) -> CredentialKey? {
    table.first(for: use, user: user, where: isUsable) { $0.permits(use) && !counts($0, for: use) }
  }

  /// Whether the session's netrc counts: nothing of it was given over a way that a task has chosen.
  func countsNetrc(for use: CredentialUse) -> Bool { ways.isOfSession(use) }
}
