internal import WatchwordVocabulary

/// Sends the Digest nonce that belongs to the request's connection, where servers mind that (methods.md 8.7).
extension AuthenticationStateMachine {
  /// Requests without a credential that a task makes for a nonce of their connection.
  static let requestsForNonceLimit = 8

  /// Remembers the nonces of a refusal for its connection.
  func noteNonces(of head: ResponseHead, _ offers: [Offer], _ attempt: Attempt) {
    guard hop == .origin, let connection = head.connection else { return }
    for offer in offers {
      guard let challenge = offer.digest else { continue }
      let space = offer.protectionSpace(for: attempt.use)
      attempt.memory.nonces.ofConnections.note(
        challenge, of: space, on: connection,
        hadServed: attempt.memory.nonces.counts.count(of: challenge.nonce, at: space) > 0)
    }
  }

  /// The choice with a nonce of the connection that the request has got; nil: the request goes without a
  /// credential, to be given one.
  func onConnection(_ choice: Choice, _ attempt: Attempt) -> Choice? {
    let space = choice.space
    guard space.authenticationMethod == .digest, let connection = attempt.use.connection,
      needsOwnNonce(choice, attempt.memory)
    else { return choice }
    if let known = attempt.memory.nonces.ofConnections.challenge(of: space, on: connection),
      mayAnswer(known, of: space, attempt.memory)
    {
      return answering(known, choice, attempt.memory)
    }
    guard requestsForNonce < Self.requestsForNonceLimit else { return choice }
    requestsForNonce += 1
    if let prepared { phase = .withoutNonce(prepared, choice) }
    return nil
  }

  /// Whether a nonce of another connection could be refused, which looks like a refused credential: unless
  /// the server has accepted one, the first answers of a credential, and those that repeat a refused one,
  /// have a nonce of their connection.
  private func needsOwnNonce(_ choice: Choice, _ memory: SessionMemory) -> Bool {
    let space = choice.space
    if memory.nonces.ofConnections.isBound(space) { return true }
    if memory.nonces.ofConnections.isUnbound(space) || refusal?.response?.endsConnection == true {
      return false
    }
    if staleCount > 1 || record(of: space).hasRetriedPlainly { return true }
    switch choice {
    case .own: return record(of: space).own?.isAccepted != true
    case .cached(let key, _, _): return memory.entry(key)?.scopes.isEmpty == true
    case .unasked, .renewed: return false
    }
  }

  /// Whether the nonce has not served, or may serve again: when it is that of the task's own refusal, or
  /// belongs to this connection. What repeats a refused answer needs a new one, or one that the server itself
  /// has given again.
  private func mayAnswer(_ challenge: DigestChallenge, of space: ProtectionSpace, _ memory: SessionMemory)
    -> Bool
  {
    if memory.nonces.counts.count(of: challenge.nonce, at: space) == 0 { return true }
    if memory.nonces.ofConnections.isGivenAgain(challenge.nonce, in: space) { return true }
    guard !record(of: space).hasRetriedPlainly else { return false }
    if offer(for: space)?.digest?.nonce == challenge.nonce { return true }
    return memory.nonces.ofConnections.isBound(space) && memory.allowsReuse(in: space, policy)
  }

  private func answering(_ challenge: DigestChallenge, _ choice: Choice, _ memory: SessionMemory)
    -> Choice
  {
    switch choice {
    case .own(let space):
      if case .digest(var digest)? = spaces[space]?.own?.authenticator, digest.update(challenge: challenge) {
        spaces[space]?.own?.authenticator = .digest(digest)
      }
      return choice
    case .cached(let key, let offer, let isRepeated):
      takeOver(challenge, key, memory)
      return .cached(key, offer: offer.map { $0.with(challenge) }, isRepeated: isRepeated)
    case .unasked(let key):
      takeOver(challenge, key, memory)
      return choice
    case .renewed(var renewal):
      _ = renewal.digest.update(challenge: challenge)
      return .renewed(renewal)
    }
  }

  private func takeOver(_ challenge: DigestChallenge, _ key: CredentialKey, _ memory: SessionMemory) {
    guard let generation = memory.entry(key)?.generation else { return }
    memory.updateDigest(key, generation: generation) { _ = $0.update(challenge: challenge) }
  }

  /// The next step after a request that went without its credential for a nonce of its connection; nil: it
  /// was not one.
  func answersForNonce() -> Outcome? {
    guard case .withoutNonce(let prepared, let choice) = phase else { return nil }
    phase = .prepared(prepared)
    guard let offer = offer(for: choice.space) else { return nil }
    switch choice {
    case .own, .renewed: next = .choice(choice)
    case .cached(let key, _, let isRepeated):
      next = .choice(.cached(key, offer: offer, isRepeated: isRepeated))
    case .unasked: return nil
    }
    return .retry
  }

  /// Notes whether what was sent has a nonce that the server gave on another connection.
  func noteConnection(_ attempt: Attempt) {
    guard let connection = attempt.use.connection, let sent, let ticket = sent.ticket else { return }
    let given = attempt.memory.nonces.ofConnections.connection(of: ticket.nonce, in: sent.space)
    sent.connection = connection
    sent.isOfOtherConnection = given.map { $0 != connection } ?? false
  }
}

extension ResponseHead {
  /// Whether the server closes the connection after this response (RFC 9112 §9.3).
  fileprivate var endsConnection: Bool {
    let options = (headers.first("connection") ?? "").split { $0 == "," || $0 == " " }.map(\.asciiLowercased)
    return options.contains("close") || (networkProtocol == "http/1.0" && !options.contains("keep-alive"))
  }
}

extension Offer {
  /// The same offer with another nonce.
  fileprivate func with(_ challenge: DigestChallenge) -> Offer {
    Offer(authenticationMethod: authenticationMethod, realm: realm, parameters: parameters, digest: challenge)
  }
}
