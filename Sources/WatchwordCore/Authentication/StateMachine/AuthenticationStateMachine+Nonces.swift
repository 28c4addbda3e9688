/// What concerns a Digest nonce only, and not the credential: stale ones, refused counts, `Authentication-Info`.
extension AuthenticationStateMachine {
  /// Stale nonces met in one task before they count as a refusal: a server that never accepts its own nonce.
  static let staleLimit = 8

  /// Whether the refusal only concerns the nonce: RFC 7616 §3.3 `stale`, or once a reused nonce that is not liked.
  mutating func retriesWithNewNonce(
    _ sent: SentCredential, _ answered: Offer, _ cache: inout CredentialCache
  ) -> Bool {
    guard let ticket = sent.ticket, let challenge = answered.digest else { return false }
    if challenge.isStale {
      guard staleCount < AuthenticationStateMachine.staleLimit else { return false }
      staleCount += 1
    } else {
      guard wasAccepted(sent, cache), ticket.nonceCount > 1, !record(of: sent.space).hasRetriedPlainly
      else { return false }
      spaces[sent.space, default: SpaceRecord()].hasRetriedPlainly = true
    }
    guard let cached = sent.entry else { return renewOwn(sent.space, answered, challenge) }
    guard let entry = cache.entry(cached.key), entry.generation == cached.generation else { return false }
    // The first stale nonce is replaced for everybody, by the first task that hears of it; whoever is refused
    // after that, or for another reason than age, goes on with a nonce of its own.
    if challenge.isStale, staleCount == 1 {
      let isRenewed = cache.updateDigest(cached.key, generation: cached.generation) { digest in
        Bytewise(digest.challenge.nonce) != Bytewise(ticket.nonce) || digest.update(challenge: challenge)
      }
      if isRenewed == true {
        next = .cached(cached.key, offer: answered, isRepeated: true)
        return true
      }
    }
    guard let digest = entry.digestAuthenticator(for: challenge) else { return false }
    next = .renewed(
      Renewal(
        key: cached.key, generation: cached.generation, failedNonce: ticket.nonce, kind: sent.kind,
        digest: digest))
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
    let fields = head.headers.values(of: "authentication-info")
    return fields.isEmpty ? nil : AuthenticationInfo(fields)
  }
}
