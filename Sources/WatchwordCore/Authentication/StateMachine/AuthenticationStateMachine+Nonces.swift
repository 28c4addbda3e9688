/// What concerns a Digest nonce only, and not the credential: stale ones, refused counts, `Authentication-Info`.
extension AuthenticationStateMachine {
  /// Stale nonces met in one task before they count as a refusal: a server that never accepts its own nonce.
  static let staleLimit = 8

  /// What to do when the refusal concerns the nonce only, which is nil when it does not: RFC 7616 §3.3 `stale`, or a
  /// plain refusal that may be due to the count.
  mutating func retryWithNewNonce(
    _ sent: SentCredential, _ answered: Offer, _ use: CredentialUse, _ cache: inout CredentialCache
  ) -> Outcome? {
    guard let ticket = sent.ticket, let challenge = answered.digest else { return nil }
    guard challenge.isStale else { return plainRetry(sent, ticket, answered, challenge, use, &cache) }
    guard staleCount < AuthenticationStateMachine.staleLimit else { return nil }
    staleCount += 1
    return renews(sent, ticket, answered, challenge, &cache) ? .retry : nil
  }

  /// A credential that was accepted before is tried once more, by one task and with a new nonce; the others wait for
  /// its outcome, so that a changed password costs one bad login.
  private mutating func plainRetry(
    _ sent: SentCredential, _ ticket: DigestTicket, _ answered: Offer, _ challenge: DigestChallenge,
    _ use: CredentialUse, _ cache: inout CredentialCache
  ) -> Outcome? {
    guard wasAccepted(sent, cache) else { return nil }
    let hasNewNonce = challenge.nonce != ticket.nonce
    guard let cached = sent.entry else {
      guard ticket.nonceCount > 1, hasNewNonce, !record(of: sent.space).hasRetriedPlainly else { return nil }
      spaces[sent.space, default: SpaceRecord()].hasRetriedPlainly = true
      return renewOwn(sent.space, answered, challenge) ? .retry : nil
    }
    guard case .cached = sent.source, let task = use.task, let entry = cache.entry(cached.key),
      entry.generation == cached.generation, let digest = entry.digest, digest.hasReused(ticket)
    else { return nil }
    let again = Choice.cached(cached.key, offer: answered, isRepeated: true)
    if cache.turns.isTaken(sent.space, from: task) {
      next = again
      deferred = sent
      return .retryInTurn
    }
    guard !record(of: sent.space).hasRetriedPlainly else { return nil }
    if digest.challenge.nonce != ticket.nonce {
      // Another task has brought a newer nonce meanwhile.
      repeatAlone(in: sent.space, task, &cache)
      next = again
      return .retry
    }
    // Where counts arrive in order, a server that gives the same nonce again means the password.
    guard hasNewNonce || !cache.turns.isLasting(sent.space) else { return nil }
    spaces[sent.space, default: SpaceRecord()].hasRetriedPlainly = true
    repeatAlone(in: sent.space, task, &cache)
    return renews(alone: sent, cached.key, ticket, entry, challenge) ? .retry : nil
  }

  private mutating func renews(
    _ sent: SentCredential, _ ticket: DigestTicket, _ answered: Offer, _ challenge: DigestChallenge,
    _ cache: inout CredentialCache
  ) -> Bool {
    guard let cached = sent.entry else { return renewOwn(sent.space, answered, challenge) }
    guard let entry = cache.entry(cached.key), entry.generation == cached.generation else { return false }
    // The first stale nonce is replaced for everybody, by the first task that hears of it; whoever is refused
    // after that goes on with a nonce of its own.
    if staleCount == 1 {
      let isRenewed = cache.updateDigest(cached.key, generation: cached.generation) { digest in
        digest.challenge.nonce != ticket.nonce || digest.update(challenge: challenge)
      }
      if isRenewed == true {
        next = .cached(cached.key, offer: answered, isRepeated: true)
        return true
      }
    }
    return renews(alone: sent, cached.key, ticket, entry, challenge)
  }

  /// Goes on with a nonce that the task keeps to itself until the server has accepted it.
  private mutating func renews(
    alone sent: SentCredential, _ key: CredentialCache.Key, _ ticket: DigestTicket, _ entry: CachedCredential,
    _ challenge: DigestChallenge
  ) -> Bool {
    var digest = entry.digestAuthenticator(for: challenge)
    // A nonce that is given again goes on with its count.
    if var present = entry.digest, challenge.nonce == present.challenge.nonce,
      present.update(challenge: challenge)
    {
      digest = present
    }
    guard let digest else { return false }
    next = .renewed(
      Renewal(
        key: key, generation: entry.generation, failedNonce: ticket.nonce, kind: sent.kind, digest: digest))
    return true
  }

  /// Whether the space has taken this credential before: then concurrent counts, or a forgetful server, are the
  /// likelier reason for a refusal.
  private func wasAccepted(_ sent: SentCredential, _ cache: CredentialCache) -> Bool {
    guard let entry = sent.entry else { return record(of: sent.space).own?.isAccepted ?? false }
    return cache.entry(entry.key)?.scopes.isEmpty == false
  }

  private mutating func renewOwn(
    _ space: ProtectionSpace, _ answered: Offer, _ challenge: DigestChallenge
  ) -> Bool {
    guard let mine = spaces[space]?.own, case .digest(var digest) = mine.authenticator else { return false }
    if digest.update(challenge: challenge) {
      spaces[space]?.own?.authenticator = .digest(digest)
    } else if let made = try? Authenticator(offer: answered, credential: mine.credential) {
      spaces[space]?.own?.authenticator = made
    } else {
      return false
    }
    next = .own(space)
    return true
  }

  /// Whether the server's proof covers the response's body, which has to be hashed first (`auth-int`).
  func needsBody(_ head: ResponseHead, _ sent: SentCredential) -> Bool {
    guard let ticket = sent.ticket, let information = information(in: head) else { return false }
    return ticket.needsBody(for: information)
  }

  /// Takes over `nextnonce`, and says whether the server has proved that it knows the password, if it tried to.
  ///
  /// Judged by what this exchange carried, whatever has become of the credential since.
  mutating func isMutual(
    _ head: ResponseHead, _ body: DigestBody, _ sent: SentCredential, _ cache: inout CredentialCache
  ) -> Bool {
    guard let ticket = sent.ticket, let information = information(in: head) else { return true }
    guard ticket.verification(of: information, body: body) != .wrong else { return false }
    switch sent.source {
    case .own:
      guard case .digest(var digest)? = spaces[sent.space]?.own?.authenticator else { return true }
      digest.takeOver(information)
      spaces[sent.space]?.own?.authenticator = .digest(digest)
    case .cached(let key, let generation):
      cache.updateDigest(key, generation: generation) { $0.takeOver(information) }
    case .renewed(var renewal):
      renewal.digest.takeOver(information)
      self.sent?.source = .renewed(renewal)
    }
    return true
  }

  private func information(in head: ResponseHead) -> AuthenticationInfo? {
    let fields = head.headers.octetStrings(of: "authentication-info")
    return fields.isEmpty ? nil : AuthenticationInfo(fields)
  }
}
