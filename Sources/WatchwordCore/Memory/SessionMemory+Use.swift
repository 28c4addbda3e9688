package import WatchwordVocabulary

/// The uses of an entry, and what servers make of them.
extension SessionMemory {
  /// One use of an entry.
  package struct Use {
    package let authorization: Authenticator.Authorization
    package let kind: Credential.Kind
    /// The entry's, by which later events tell whether it is still the same.
    package let generation: UInt64
  }

  /// Makes an `Authorization` value from the entry, and counts the use.
  ///
  /// `offer` is the challenge being answered; nil when the value is sent unasked, for which the entry must
  /// have met its challenge before. `isRepeated` when the same request goes out again with another nonce,
  /// which is no further use.
  func authorize(
    _ key: CredentialKey, offer: Offer?, use: CredentialUse, isRepeated: Bool = false,
    body: (DigestAlgorithm) -> DigestBody, clientNonce: () -> String
  ) throws(CredentialUseFault) -> Use {
    // Taken out while they are changed, so that no copy is made.
    var counts = NonceCounts()
    swap(&counts, &nonces.counts)
    defer { swap(&counts, &nonces.counts) }
    let keepsNonce = turns.isOrdered(key.space)
    func make(_ entry: inout CachedCredential) throws(CredentialUseFault) -> Use {
      let authorization = try entry.authorize(
        offer: offer, use: use, isRepeated: isRepeated, at: key.space, keepsNonce: keepsNonce,
        counts: &counts,
        body: body, clientNonce: clientNonce)
      return Use(authorization: authorization, kind: entry.credential.kind, generation: entry.generation)
    }
    guard let place = place(of: key), !isOverAsRecord(place, use, isRepeated: isRepeated),
      let made = try table.use(place, make)
    else { throw .gone }
    if !isRepeated { noteUseOfPermanent(place, use) }
    return made
  }

  /// Whether it is a copy whose record the limits have ended.
  private func isOverAsRecord(_ key: CredentialKey, _ use: CredentialUse, isRepeated: Bool) -> Bool {
    guard !copies.isEmpty, let number = table.permanentNumber(of: key) else { return false }
    return permanent[number]?.record.isOver(
      now: use.now, wallClock: use.wallClock, isRepeated: isRepeated) ?? true
  }

  private func noteUseOfPermanent(_ key: CredentialKey, _ use: CredentialUse) {
    guard !copies.isEmpty, let number = table.permanentNumber(of: key) else { return }
    permanent.noteUse(number, now: use.now)
  }

  /// The Digest state of an entry, changed in place; nothing happens when the entry is gone or newer.
  @discardableResult
  func updateDigest<Result>(
    _ key: CredentialKey, generation: UInt64, _ change: (inout DigestAuthenticator) -> Result
  ) -> Result? {
    guard let place = place(of: key) else { return nil }
    let result: Result?? = table.change(place) { entry in
      entry.generation == generation ? entry.updateDigest(change) : nil
    }
    return result ?? nil
  }

  /// Takes over Digest state that one task has made for itself and the server has accepted, unless another
  /// task has brought a newer nonce than the one that failed.
  func share(
    _ digest: DigestAuthenticator, for key: CredentialKey, generation: UInt64,
    insteadOf failedNonce: OctetString
  ) {
    updateDigest(key, generation: generation) { shared in
      if shared.challenge.nonce == failedNonce { shared = digest }
    }
  }

  /// The server has accepted the entry for this URL: it may be sent unasked inside the scope from now on.
  ///
  /// One that served any realm is bound to this one: other tasks that carry it find it there.
  ///
  /// - Parameter path: where it was accepted, if that may be a path that has left the scope.
  func accepted(_ key: CredentialKey, generation: UInt64, scope: PreemptiveScope, at path: String? = nil) {
    guard let place = place(of: key), table[place]?.generation == generation else { return }
    if place != key { bind(place, to: key) }
    _ = table.change(key) { entry in
      entry.noteAcceptance(in: scope)
      if let path { entry.enter(path) }
    }
  }

  /// Whether no server has taken it yet, asked or unasked.
  func isUntried(_ key: CredentialKey) -> Bool {
    place(of: key).flatMap { table.read($0, \.isUntried) } ?? false
  }

  /// A server has taken the entry with a request that it had not asked for.
  func servedUnasked(_ key: CredentialKey, generation: UInt64) {
    guard let place = place(of: key), table[place]?.generation == generation else { return }
    _ = table.use(place) { $0.hasServedUnasked = true }
  }

  /// The entry was sent unasked, and the path has asked for another space.
  func left(_ key: CredentialKey, generation: UInt64, path: String) {
    guard let place = place(of: key), table[place]?.generation == generation else { return }
    _ = table.change(place) { $0.leave(path) }
  }

  private func bind(_ wide: CredentialKey, to key: CredentialKey) {
    guard var entry = table.remove(wide) else { return }
    // A default that the realm has already stays.
    let isDefault = entry.isDefault && table.defaultKey(beside: key) == nil
    entry.space = key.space
    entry.isDefault = false
    table.insert(entry, at: key)
    if isDefault { setDefault(key) }
    if let number = entry.permanentNumber {
      // The holders are told of the record, which is bound, too.
      copies[number] = key
      permanent.noteAcceptance(number, in: key.space)
    } else {
      changes += [(wide, .removed), (key, .added)]
    }
  }

  /// The server has refused the entry: it goes, unless it has been replaced since it was tried (challenges.md
  /// 7.6).
  func refused(_ key: CredentialKey, generation: UInt64) {
    guard let place = place(of: key), let entry = table[place], entry.generation == generation else { return }
    remove(place)
    if let number = entry.permanentNumber { permanent.drop(number) }
  }

  /// Where the entry is that serves this key: there, or with the same user's credentials for any realm.
  func place(of key: CredentialKey) -> CredentialKey? {
    if table.holds(key) { return key }
    let wide = key.ofAnyRealm
    return table.holds(wide) ? wide : nil
  }
}

extension SessionMemory {
  /// The userinfo of a URL was refused.
  func noteRefusedUserinfo(_ kind: Credential.Kind, in space: ProtectionSpace) {
    refusedUserinfo.insert(kind, in: space)
  }

  /// Whether a space of the proxy has refused this userinfo, which no task sends again.
  func hasRefusedUserinfo(_ userinfo: Credential.Kind, at proxy: Origin) -> Bool {
    refusedUserinfo.space(of: userinfo, at: proxy) != nil
  }
}
