internal import WatchwordVocabulary

/// Refusals of a Digest nonce rather than of the credential: stale nonces, refused counts,
/// `Authentication-Info`.
extension AuthenticationStateMachine {
  /// Stale nonces met in one task before they count as a refusal: a server that never accepts its own nonce.
  static let staleLimit = 8

  /// The next step when the refusal concerns only the nonce, else nil: RFC 7616 §3.3 `stale`, or a plain
  /// refusal that the count may have caused.
  func retryWithNewNonce(_ sent: SentCredential, _ answered: Offer, _ attempt: Attempt) -> Outcome? {
    guard let ticket = sent.ticket, let challenge = answered.digest else { return nil }
    guard challenge.isStale else { return plainRetry(sent, ticket, answered, challenge, attempt) }
    guard staleCount < AuthenticationStateMachine.staleLimit else { return nil }
    staleCount += 1
    return renews(sent, ticket, answered, challenge, attempt.memory) ? .retry : nil
  }

  /// Tries a credential that was accepted before once more, in one task with a new nonce; the others wait for
  /// its outcome, so that a changed password costs one failed login.
  private func plainRetry(
    _ sent: SentCredential, _ ticket: DigestTicket, _ answered: Offer, _ challenge: DigestChallenge,
    _ attempt: Attempt
  ) -> Outcome? {
    guard wasAccepted(sent, attempt.memory) else { return nil }
    let hasNewNonce = challenge.nonce != ticket.nonce
    guard let cached = sent.entry else {
      guard ticket.nonceCount > 1 || sent.isOfOtherConnection, hasNewNonce,
        !record(of: sent.space).hasRetriedPlainly
      else { return nil }
      spaces[sent.space, default: SpaceRecord()].hasRetriedPlainly = true
      return renewOwn(sent.space, answered) ? .retry : nil
    }
    guard case .cached = sent.source, let task = attempt.use.task,
      let entry = attempt.memory.entry(cached.key),
      entry.generation == cached.generation, let digest = entry.digest,
      isReused(sent, ticket, digest, attempt.memory)
    else { return nil }
    let again = Choice.cached(cached.key, offer: answered, isRepeated: true)
    if isBound(sent, hasNewNonce: hasNewNonce, task, attempt.memory) {
      guard mayRepeat(sent, ticket, hasNewNonce: hasNewNonce, isBound: true, attempt.memory) else {
        return nil
      }
      spaces[sent.space, default: SpaceRecord()].hasRetriedPlainly = true
      next = .choice(again)
      return .retry
    }
    if attempt.memory.turns.isTaken(sent.space, from: task) {
      next = .afterOthers(again, refused: sent)
      return .retryInTurn
    }
    guard mayRepeat(sent, ticket, hasNewNonce: hasNewNonce, isBound: false, attempt.memory) else {
      return nil
    }
    if digest.challenge.nonce != ticket.nonce {
      // Another task has received a newer nonce meanwhile.
      repeatAlone(in: sent.space, task, attempt.memory)
      next = .choice(again)
      return .retry
    }
    // Where counts arrive in order, a server that repeats the same nonce refuses the password.
    guard hasNewNonce || !attempt.memory.turns.isLasting(sent.space) else { return nil }
    spaces[sent.space, default: SpaceRecord()].hasRetriedPlainly = true
    repeatAlone(in: sent.space, task, attempt.memory)
    return renews(alone: sent, cached.key, ticket, entry, challenge) ? .retry : nil
  }

  private func renews(
    _ sent: SentCredential, _ ticket: DigestTicket, _ answered: Offer, _ challenge: DigestChallenge,
    _ memory: SessionMemory
  ) -> Bool {
    guard let cached = sent.entry else { return renewOwn(sent.space, answered) }
    guard let entry = memory.entry(cached.key), entry.generation == cached.generation else { return false }
    // The nonce of the answer is the one that others use from then on; a task that is refused after that uses
    // a nonce of its own.
    if staleCount == 1 {
      // Where requests go one at a time, all use the nonce that is accepted now.
      let isRenewed =
        !memory.turns.isOrdered(sent.space)
        || memory.updateDigest(cached.key, generation: cached.generation) { digest in
          digest.challenge.nonce != ticket.nonce || digest.update(challenge: challenge)
        } == true
      if isRenewed {
        next = .choice(.cached(cached.key, offer: answered, isRepeated: true))
        return true
      }
    }
    return renews(alone: sent, cached.key, ticket, entry, challenge)
  }

  /// Continues with a nonce of the task's own until the server has accepted it.
  private func renews(
    alone sent: SentCredential, _ key: CredentialKey, _ ticket: DigestTicket, _ entry: CachedCredential,
    _ challenge: DigestChallenge
  ) -> Bool {
    var digest = entry.digestAuthenticator(for: challenge)
    // A repeated nonce continues its count.
    if var present = entry.digest, challenge.nonce == present.challenge.nonce,
      present.update(challenge: challenge)
    {
      digest = present
    }
    guard let digest else { return false }
    let renewal = Renewal(
      key: key, generation: entry.generation, failedNonce: ticket.nonce, kind: sent.kind, digest: digest)
    next = .choice(.renewed(renewal))
    return true
  }

  /// Whether the refusal may be the count's: others used the nonce too, or it came before the refusal of
  /// another request. The answer to a challenge has its nonce for itself, unless the server gives that to
  /// others.
  private func isReused(
    _ sent: SentCredential, _ ticket: DigestTicket, _ digest: DigestAuthenticator, _ memory: SessionMemory
  ) -> Bool {
    if sent.isOfOtherConnection { return true }
    guard !sent.isPreemptive, !memory.turns.isOrdered(sent.space) else { return digest.hasReused(ticket) }
    return memory.nonces.counts.count(of: ticket.nonce, at: sent.space) > 1
  }

  /// Whether the request may be repeated with one more nonce: once, and again when the repetition had a nonce
  /// that proves nothing. It belongs to another connection where that matters, or another task had it first:
  /// a server that gives a nonce again means it to serve again.
  private func mayRepeat(
    _ sent: SentCredential, _ ticket: DigestTicket, hasNewNonce: Bool, isBound: Bool, _ memory: SessionMemory
  ) -> Bool {
    guard record(of: sent.space).hasRetriedPlainly else { return true }
    let hadServed =
      memory.nonces.counts.count(of: ticket.nonce, at: sent.space) > 1
      && !memory.nonces.ofConnections.isGivenAgain(ticket.nonce, in: sent.space)
    guard isBound && sent.isOfOtherConnection || hasNewNonce && hadServed else { return false }
    staleCount += 1
    return staleCount <= Self.staleLimit
  }

  /// Whether the space's nonces belong to connections: requests that were sent alone, with the newest nonce,
  /// were refused on other ones.
  private func isBound(
    _ sent: SentCredential, hasNewNonce: Bool, _ task: TaskIdentifier, _ memory: SessionMemory
  ) -> Bool {
    if memory.nonces.ofConnections.isBound(sent.space) { return true }
    guard sent.isOfOtherConnection, hasNewNonce, memory.turns.isHolder(task, of: sent.space) else {
      return false
    }
    memory.nonces.ofConnections.noteRefusal(in: sent.space)
    guard memory.nonces.ofConnections.isBound(sent.space) else { return false }
    memory.turns.end(sent.space)
    turn = nil
    return true
  }

  /// Whether the space has accepted this credential before: then concurrent counts, or a server that forgets
  /// nonces, are a likelier reason for a refusal.
  private func wasAccepted(_ sent: SentCredential, _ memory: SessionMemory) -> Bool {
    guard let entry = sent.entry else { return record(of: sent.space).own?.isAccepted ?? false }
    return memory.entry(entry.key)?.scopes.isEmpty == false
  }

  private func renewOwn(_ space: ProtectionSpace, _ answered: Offer) -> Bool {
    guard case .digest? = spaces[space]?.own?.authenticator, ownAnswers(answered, in: space) else {
      return false
    }
    spaces[space]?.own?.isRepeated = true
    next = .choice(.own(space))
    return true
  }

  /// Whether the task's own credential can answer this offer; with Digest, its next answer has the offer's
  /// nonce.
  func ownAnswers(_ offer: Offer, in space: ProtectionSpace) -> Bool {
    guard let mine = spaces[space]?.own, case .digest(var digest) = mine.authenticator,
      let challenge = offer.digest
    else { return true }
    if digest.update(challenge: challenge) {
      spaces[space]?.own?.authenticator = .digest(digest)
    } else if let made = try? Authenticator(offer: offer, credential: mine.credential) {
      spaces[space]?.own?.authenticator = made
    } else {
      return false
    }
    return true
  }

  /// Whether the server's proof covers the response's body, which must be hashed first (`auth-int`).
  func needsBody(_ head: ResponseHead, _ sent: SentCredential) -> Bool {
    guard let ticket = sent.ticket, let information = information(in: head) else { return false }
    return ticket.needsBody(for: information)
  }

  /// Adopts `nextnonce`; returns false when the server's proof that it knows the password is wrong.
  ///
  /// Checked against what this exchange carried, even if the credential has been replaced since.
  func isMutual(
    _ head: ResponseHead, _ body: DigestBody, _ sent: SentCredential, _ memory: SessionMemory
  ) -> Bool {
    guard let ticket = sent.ticket, let information = information(in: head) else { return true }
    guard ticket.verification(of: information, body: body) != .wrong else { return false }
    if let nonce = information.nextNonce, let connection = sent.connection {
      memory.nonces.ofConnections.note(nextNonce: nonce, of: sent.space, on: connection)
    }
    switch sent.source {
    case .own:
      guard case .digest(var digest)? = spaces[sent.space]?.own?.authenticator else { return true }
      digest.takeOver(information)
      spaces[sent.space]?.own?.authenticator = .digest(digest)
    case .cached(let key, let generation):
      memory.updateDigest(key, generation: generation) { $0.takeOver(information) }
    case .renewed(var renewal):
      renewal.digest.takeOver(information)
      sent.source = .renewed(renewal)
    }
    return true
  }

  private func information(in head: ResponseHead) -> AuthenticationInfo? {
    let fields = head.headers.octetStrings(of: hop.informationField)
    return fields.isEmpty ? nil : AuthenticationInfo(fields)
  }
}
