internal import WatchwordPrimitives
internal import WatchwordVocabulary

/// What the server's answer, an origin's or a proxy's, says of the credential that it was sent (challenges.md
/// 7).
extension AuthenticationStateMachine {
  /// A response has arrived.
  mutating func received(
    _ head: ResponseHead, for use: CredentialUse, hasCallerAuthorization: Bool, canAsk: ChallengeBoard.CanAsk,
    cache: inout CredentialCache
  ) -> Step {
    noteServer(head, use, &cache)
    guard head.status == hop.refusal else {
      if let step = repetitionWithoutReuse(head, use, &cache) { return step }
      if let step = verification(of: head, use, &cache) { return step }
      let step = settled(head, use, &cache)
      // The head ends the turn; what a body proves is known much later.
      if unproved != nil, head.status < 500 {
        if let turn { cache.turns.noteAcceptance(of: turn, at: hop) }
        noteTrialAccepted(head, use, &cache)
      }
      releaseTurn(&cache)
      leaveTrial(&cache)
      return step
    }
    guard !hasCallerAuthorization else { return Step(outcome: .deliver) }
    let reading = OfferSelection.read(
      head.headers.octetStrings(of: hop.challengeField), policy: policy(for: use, head))
    return refused(by: head, with: reading, use, canAsk, &cache)
  }

  /// Connection-bound methods need a connection that leads to the hop that asks, or a proxy that gives each
  /// of its connections one of its own to the origin (RFC 4559 §6). An HTTPS proxy can be asked for a tunnel
  /// only once on each, which is too little for NTLM.
  private func policy(for use: CredentialUse, _ head: ResponseHead) -> MethodPolicy {
    let isForwarded = use.isForwarded && !head.keepsSessions
    guard isForwarded || use.proxyType == .https else { return policy }
    var policy = policy
    policy.disabled.formUnion(isForwarded ? [.negotiate, .ntlm] : [.ntlm])
    return policy
  }

  /// A SOCKS5 proxy wants a user and a password, or refuses those that it was sent (RFC 1929).
  mutating func refusedBySOCKS(
    for use: CredentialUse, canAsk: ChallengeBoard.CanAsk, cache: inout CredentialCache
  ) -> Step {
    var reading = OfferSelection.Reading()
    if !policy.disabled.contains(.basic) { reading.offers = [.passwordOfSOCKS] }
    return refused(by: nil, with: reading, use, canAsk, &cache)
  }

  // MARK: Refused

  private mutating func refused(
    by head: ResponseHead?, with reading: OfferSelection.Reading, _ use: CredentialUse,
    _ canAsk: ChallengeBoard.CanAsk, _ cache: inout CredentialCache
  ) -> Step {
    let (allowed, weaker) = cache.offersSeen.note(
      reading.offers, unread: reading.unread, from: use.url.origin, at: hop,
      strongestOnly: policy.strongestOnly)
    refusal = Refusal(
      response: head, offers: reading.namesNothing ? offersOfUnasked : allowed,
      unusableOffers: reading.unusable, weakerOffer: weaker)
    cache.offersSeen.note(reading.unusable, from: use.url.origin, at: hop)
    if let head { noteNonces(of: head, allowed, use, &cache) }
    var step = head.flatMap { continuation(of: $0, use, &cache) } ?? answerRefusal(use, canAsk, &cache)
    step.weakerOffer = weaker
    // A task that repeats a request with a new nonce sends before the others do.
    if step.outcome != .retry { releaseTurn(&cache) }
    if next == nil { leaveTrial(&cache) }
    return step
  }

  /// A refusal without a challenge, in answer to a credential that was sent unasked, asks again for its
  /// space: many servers name no challenge to a token that has ended. Only Digest needs more, a nonce.
  private var offersOfUnasked: [Offer] {
    guard let sent, sent.isPreemptive, sent.space.authenticationMethod != .digest else { return [] }
    return [
      Offer(authenticationMethod: sent.space.authenticationMethod, realm: sent.space.realm, parameters: [])
    ]
  }

  private mutating func answerRefusal(
    _ use: CredentialUse, _ canAsk: ChallengeBoard.CanAsk, _ cache: inout CredentialCache
  ) -> Step {
    bindSent()
    guard let sent else {
      return Step(outcome: answersForNonce(use, &cache) ?? choose(use, canAsk, &cache))
    }
    roundCount += 1
    guard let answered = offer(for: sent.space) else { return leftSpace(sent, use, canAsk, &cache) }
    if let retry = retryWithNewNonce(sent, answered, use, &cache) { return Step(outcome: retry) }
    return credentialRefused(sent, use, canAsk, &cache)
  }

  /// A credential for any realm that went unasked meets the realm that the refusal names.
  private mutating func bindSent() {
    guard let sent, sent.isPreemptive, sent.space.isOfAnyRealm, let entry = sent.entry else { return }
    let spaces = refusal?.offers.map {
      $0.protectionSpace(of: entry.key.space.origin, proxyType: entry.key.space.proxyType)
    }
    guard let space = spaces?.first(where: { $0.ofAnyRealm == entry.key.space }) else { return }
    let key = CredentialCache.Key(space: space, user: entry.key.user, path: entry.key.path)
    self.sent?.source = .cached(key, generation: entry.generation)
  }

  mutating func credentialRefused(
    _ sent: SentCredential, _ use: CredentialUse, _ canAsk: ChallengeBoard.CanAsk,
    _ cache: inout CredentialCache
  ) -> Step {
    sent.note(.refused, in: &cache)
    let mine = noteRefusal(of: sent, &cache)
    cache.bound.end(sent.space) { $0 != sent.kind }
    let report: TrialReport? = mine?.isOnTrial == true ? .refused(sent.kind) : nil
    guard record(of: sent.space).refusalCount < refusalBudget, !hasMetTooManyRefusals else {
      return Step(outcome: .deliver, report: report)
    }
    return Step(outcome: choose(use, canAsk, &cache), report: report)
  }

  /// Another realm or method is asked for, which is a new space.
  ///
  /// A credential that was sent in reply to a challenge is refused in its own space. One that was sent
  /// preemptively is not: this path is outside its scope.
  private mutating func leftSpace(
    _ sent: SentCredential, _ use: CredentialUse, _ canAsk: ChallengeBoard.CanAsk,
    _ cache: inout CredentialCache
  ) -> Step {
    guard sent.isPreemptive, refusal?.namesSomething != false else {
      return credentialRefused(sent, use, canAsk, &cache)
    }
    // Of a proxy, the space is always the whole proxy.
    if hop == .origin, let entry = sent.entry {
      cache.left(entry.key, generation: entry.generation, path: use.url.path)
    }
    return Step(outcome: hasMetTooManyRefusals ? .deliver : choose(use, canAsk, &cache))
  }

  /// Whether the task has been refused so often, wherever, that the refusal is the result.
  var hasMetTooManyRefusals: Bool { roundCount >= AuthenticationStateMachine.roundLimit }

  mutating func abandonTrial(_ space: ProtectionSpace) -> TrialReport? {
    guard spaces[space]?.own?.isOnTrial == true else { return nil }
    spaces[space]?.own?.isOnTrial = false
    return .inconclusive
  }

  // MARK: Not refused

  mutating func settled(_ head: ResponseHead, _ use: CredentialUse, _ cache: inout CredentialCache)
    -> Step
  {
    guard let sent else { return Step(outcome: .proceed) }
    guard !needsBody(head, sent) else {
      unproved = head
      return Step(outcome: .proceed)
    }
    return judge(sent, by: head, .unknown, use, &cache)
  }

  /// The response's body has ended, or was cut; `proceed` unless it disproves what the head claimed.
  package mutating func bodyEnded(
    _ body: DigestBody, for use: CredentialUse, cache: inout CredentialCache
  ) -> Step {
    guard let head = unproved, let sent else { return Step(outcome: .proceed) }
    unproved = nil
    return judge(sent, by: head, body, use, &cache)
  }

  private mutating func judge(
    _ sent: SentCredential, by head: ResponseHead, _ body: DigestBody, _ use: CredentialUse,
    _ cache: inout CredentialCache
  ) -> Step {
    guard isMutual(head, body, sent, &cache) else {
      sent.note(.serverNotAuthenticated, in: &cache)
      return Step(outcome: .fail(.serverNotAuthenticated), report: abandonTrial(sent.space))
    }
    if head.status < 500 {
      sent.note(.accepted, in: &cache)
      // Nearly every task has met no refusal.
      if !spaces.isEmpty { spaces[sent.space]?.hasRetriedPlainly = false }
      if let turn { cache.turns.noteAcceptance(of: turn, at: hop) }
      noteTrialAccepted(head, use, &cache)
    }
    if case .renewed(let renewal)? = self.sent?.source, head.status < 500 {
      cache.share(
        renewal.digest, for: renewal.key, generation: renewal.generation, insteadOf: renewal.failedNonce)
    }
    guard !sent.isPreemptive else { return Step(outcome: .proceed) }
    if sent.isOfOtherConnection, head.status < 500 { cache.connectionNonces.noteAcceptance(in: sent.space) }
    // An error of the server's own says nothing about the credential.
    guard head.status < 500 else { return Step(outcome: .proceed, report: abandonTrial(sent.space)) }
    return Step(outcome: .proceed, report: accepted(sent, use, &cache))
  }

  /// The server has taken what it asked for: from now on it may go out unasked inside its scope.
  mutating func accepted(
    _ sent: SentCredential, _ use: CredentialUse, _ cache: inout CredentialCache
  ) -> TrialReport? {
    let scope = PreemptiveScope(
      method: sent.space.authenticationMethod, acceptedAt: use.url,
      // Of a proxy, the space is always the whole proxy (RFC 7616 §3.3).
      digestDomain: hop == .proxy ? [] : offer(for: sent.space)?.digest?.domain ?? [])
    if let entry = sent.entry {
      cache.accepted(entry.key, generation: entry.generation, scope: scope, at: use.url.path)
      return nil
    }
    spaces[sent.space]?.own?.isAccepted = true
    if hop == .proxy, let mine = spaces[sent.space]?.own, mine.source == .url {
      // Other tasks with the same userinfo use it from now on, with the same nonce.
      spaces[sent.space]?.own = nil
      return .acceptedFromURL(
        mine.credential, space: sent.space, authenticator: mine.authenticator, scope: scope)
    }
    if let mine = spaces[sent.space]?.own, let number = mine.permanentNumber {
      spaces[sent.space]?.own = nil
      return .acceptedPermanent(
        number, mine.credential, space: sent.space, authenticator: mine.authenticator, scope: scope)
    }
    guard let mine = spaces[sent.space]?.own, mine.isOnTrial || mine.source == .netrc else { return nil }
    spaces[sent.space]?.own?.isOnTrial = false
    // It is the session's from now on.
    if mine.credential.persistence != .none { spaces[sent.space]?.own = nil }
    return .accepted(
      mine.credential, space: sent.space, authenticator: mine.authenticator, scope: scope)
  }
}

extension ResponseHead {
  /// `Proxy-Support: Session-Based-Authentication` (RFC 4559 §6): the proxy keeps a connection to the origin
  /// for each to itself.
  fileprivate var keepsSessions: Bool {
    headers.contains { field in
      field.isNamed("proxy-support")
        && field.value.split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\t" }).contains {
          $0.asciiLowercased == "session-based-authentication"
        }
    }
  }
}
