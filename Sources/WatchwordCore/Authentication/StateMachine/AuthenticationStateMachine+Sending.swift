package import WatchwordSecret

/// What an exchange carries.
extension AuthenticationStateMachine {
  /// The `Authorization` value for the next exchange; nil when it goes without, or when it `needsBody`: then it has to
  /// be asked for again.
  package mutating func authorization(
    for use: CredentialUse, hasCallerAuthorization: Bool, body: (DigestAlgorithm) -> DigestBody,
    cache: inout CredentialCache, clientNonce: () -> String
  ) -> Secret? {
    let choice = next
    next = nil
    sent = nil
    unproved = nil
    needsBody = false
    defer { if needsBody { next = choice } }
    if let named = use.url.userinfo { userinfo = (use.url.origin, named) }
    guard !hasCallerAuthorization else { return nil }
    switch choice {
    case .own(let space):
      return send(own: space, use, body, cache.latestGeneration, clientNonce)
    case .cached(let key, let offer, let isRepeated):
      return send(key, offer: offer, isRepeated: isRepeated, use, body, &cache, clientNonce)
    case .renewed(let renewal):
      return send(renewal, use, body, clientNonce)
    case nil:
      guard let key = unasked(use, &cache) else { return nil }
      return send(key, offer: nil, isRepeated: false, use, body, &cache, clientNonce)
    }
  }

  /// The credential that may go out before anybody has asked for it.
  ///
  /// A URL that names a user speaks for itself, and a credential for this task only is never sent unasked.
  func unasked(_ use: CredentialUse, _ cache: inout CredentialCache) -> CredentialCache.Key? {
    guard named(use) == nil, let key = cache.preemptive(for: use, policy: policy) else { return nil }
    // Nearly every task has met no refusal yet.
    guard let known = spaces[key.space] else { return key }
    guard !known.isStruck, let entry = cache.entry(key) else { return nil }
    return known.hasRefused(entry.credential.kind) ? nil : key
  }

  private mutating func send(
    own space: ProtectionSpace, _ use: CredentialUse, _ body: (DigestAlgorithm) -> DigestBody,
    _ knownGeneration: UInt64, _ clientNonce: () -> String
  ) -> Secret? {
    guard var mine = spaces[space]?.own else { return nil }
    let made: Authenticator.Authorization
    do throws(DigestFault) {
      made = try mine.authenticator.authorize(
        method: use.method, target: use.url.requestTarget, body: body, clientNonce: clientNonce)
    } catch {
      needsBody = error == .bodyUnread
      guard !needsBody else { return nil }
      // A body that would have to be hashed and cannot be: this offer leads nowhere. A nonce that is used up
      // cannot be the reason: this one is of this task only.
      spaces[space]?.own = nil
      spaces[space]?.isStruck = true
      return nil
    }
    spaces[space]?.own = mine
    sent = SentCredential(
      space: space, kind: mine.credential.kind, source: .own, ticket: made.ticket,
      knownGeneration: knownGeneration)
    return made.value
  }

  private mutating func send(
    _ key: CredentialCache.Key, offer: Offer?, isRepeated: Bool, _ use: CredentialUse,
    _ body: (DigestAlgorithm) -> DigestBody, _ cache: inout CredentialCache, _ clientNonce: () -> String
  ) -> Secret? {
    var use = use
    use.isConfirmed = record(of: key.space).isConfirmed
    do throws(CredentialCache.UseFault) {
      let made = try cache.authorize(
        key, offer: offer, use: use, isRepeated: isRepeated, body: body, clientNonce: clientNonce)
      sent = SentCredential(
        space: key.space, kind: made.kind, source: .cached(key, generation: made.generation),
        ticket: made.authorization.ticket, isPreemptive: offer == nil, knownGeneration: made.generation)
      return made.authorization.value
    } catch {
      switch error {
      case .gone: break
      case .bodyUnread: needsBody = true
      case .unfit: if offer != nil { spaces[key.space, default: SpaceRecord()].isStruck = true }
      }
      return nil
    }
  }

  private mutating func send(
    _ renewal: Renewal, _ use: CredentialUse, _ body: (DigestAlgorithm) -> DigestBody,
    _ clientNonce: () -> String
  ) -> Secret? {
    var renewal = renewal
    let hashed = renewal.digest.needsBodyHash ? body(renewal.digest.challenge.algorithm) : .unknown
    let made: (value: Secret, ticket: DigestTicket)
    do throws(DigestFault) {
      made = try renewal.digest.authorization(
        method: use.method, target: use.url.requestTarget, body: hashed, clientNonce: clientNonce())
    } catch {
      needsBody = error == .bodyUnread
      if !needsBody { spaces[renewal.key.space, default: SpaceRecord()].isStruck = true }
      return nil
    }
    sent = SentCredential(
      space: renewal.key.space, kind: renewal.kind, source: .renewed(renewal), ticket: made.ticket,
      knownGeneration: renewal.generation)
    return made.value
  }
}
