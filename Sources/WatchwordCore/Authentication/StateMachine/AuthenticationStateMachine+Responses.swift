internal import WatchwordVocabulary

/// What the server's answer, an origin's or a proxy's, says of the credential that it was sent (challenges.md
/// 7).
extension AuthenticationStateMachine {
  /// A response has arrived.
  func received(_ head: ResponseHead, _ attempt: Attempt, hasCallerAuthorization: Bool) -> Step {
    noteServer(head, attempt)
    guard head.status == hop.refusal else {
      if let step = repetitionWithoutReuse(head, attempt) { return step }
      if let step = verification(of: head, attempt) { return step }
      let step = settled(head, attempt)
      // The head ends the turn; what a body proves is known much later.
      if isUnproved, head.status < 500 {
        if let turn { attempt.memory.turns.noteAcceptance(of: turn.task, at: hop) }
        noteTrialAccepted(head, attempt)
      }
      releaseTurn(attempt.memory)
      leaveTrial(attempt.memory)
      return step
    }
    guard !hasCallerAuthorization else { return Step(outcome: .deliver) }
    let reading = OfferSelection.read(
      head.headers.octetStrings(of: hop.challengeField), policy: policy(for: attempt.use, head))
    return refused(by: head, with: reading, attempt)
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
  func refusedBySOCKS(_ attempt: Attempt) -> Step {
    var reading = OfferSelection.Reading()
    if !policy.disabled.contains(.basic) { reading.offers = [.passwordOfSOCKS] }
    return refused(by: nil, with: reading, attempt)
  }

  // MARK: Refused

  private func refused(
    by head: ResponseHead?, with reading: OfferSelection.Reading, _ attempt: Attempt
  ) -> Step {
    let (allowed, weaker) = attempt.memory.offersSeen.note(
      reading.offers, unread: reading.unread, from: attempt.use.url.origin, at: hop,
      strongestOnly: policy.strongestOnly)
    refusal = Refusal(
      response: head, offers: reading.namesNothing ? offersOfUnasked : allowed,
      unusableOffers: reading.unusable, weakerOffer: weaker)
    attempt.memory.offersSeen.note(reading.unusable, from: attempt.use.url.origin, at: hop)
    if let head { noteNonces(of: head, allowed, attempt) }
    var step = head.flatMap { continuation(of: $0, attempt) } ?? answerRefusal(attempt)
    step.weakerOffer = weaker
    // A task that repeats a request with a new nonce sends before the others do.
    if step.outcome != .retry { releaseTurn(attempt.memory) }
    if next.choice == nil { leaveTrial(attempt.memory) }
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

  private func answerRefusal(_ attempt: Attempt) -> Step {
    bindSent()
    guard let sent else {
      return Step(outcome: answersForNonce() ?? choose(attempt))
    }
    roundCount += 1
    guard let answered = offer(for: sent.space) else { return leftSpace(sent, attempt) }
    if let retry = retryWithNewNonce(sent, answered, attempt) { return Step(outcome: retry) }
    return credentialRefused(sent, attempt)
  }

  /// A credential for any realm that went unasked meets the realm that the refusal names.
  private func bindSent() {
    guard let sent, sent.isPreemptive, sent.space.isOfAnyRealm, let entry = sent.entry else { return }
    let spaces = refusal?.offers.map {
      $0.protectionSpace(of: entry.key.space.origin, proxyType: entry.key.space.proxyType)
    }
    guard let space = spaces?.first(where: { $0.ofAnyRealm == entry.key.space }) else { return }
    let key = CredentialKey(space: space, user: entry.key.user, path: entry.key.path)
    sent.source = .cached(key, generation: entry.generation)
  }

  func credentialRefused(_ sent: SentCredential, _ attempt: Attempt) -> Step {
    sent.note(.refused, in: attempt.memory)
    let mine = noteRefusal(of: sent, attempt.memory)
    attempt.memory.bound.end(sent.space) { $0 != sent.kind }
    let report: TrialReport? = mine?.isOnTrial == true ? .refused(sent.kind) : nil
    guard record(of: sent.space).refusalCount < settings.refusalBudget, !hasMetTooManyRefusals else {
      return Step(outcome: .deliver, report: report)
    }
    return Step(outcome: choose(attempt), report: report)
  }

  /// Another realm or method is asked for, which is a new space.
  ///
  /// A credential that was sent in reply to a challenge is refused in its own space. One that was sent
  /// preemptively is not: this path is outside its scope.
  private func leftSpace(_ sent: SentCredential, _ attempt: Attempt) -> Step {
    guard sent.isPreemptive, refusal?.namesSomething != false else {
      return credentialRefused(sent, attempt)
    }
    // Of a proxy, the space is always the whole proxy.
    if hop == .origin, let entry = sent.entry {
      attempt.memory.left(entry.key, generation: entry.generation, path: attempt.use.url.path)
    }
    return Step(outcome: hasMetTooManyRefusals ? .deliver : choose(attempt))
  }

  /// Whether the task has been refused so often, wherever, that the refusal is the result.
  var hasMetTooManyRefusals: Bool { roundCount >= AuthenticationStateMachine.roundLimit }

  func abandonTrial(_ space: ProtectionSpace) -> TrialReport? {
    guard spaces[space]?.own?.isOnTrial == true else { return nil }
    spaces[space]?.own?.isOnTrial = false
    return .inconclusive
  }

  // MARK: Not refused

  func settled(_ head: ResponseHead, _ attempt: Attempt) -> Step {
    guard let prepared, let sent else { return Step(outcome: .proceed) }
    guard !needsBody(head, sent) else {
      phase = .unproved(prepared, sent, head)
      return Step(outcome: .proceed)
    }
    return judge(sent, by: head, .unknown, attempt)
  }

  /// The response's body has ended, or was cut; `proceed` unless it disproves what the head claimed.
  func bodyEnded(_ body: DigestBody, _ attempt: Attempt) -> Step {
    guard case .unproved(let prepared, let sent, let head) = phase else { return Step(outcome: .proceed) }
    phase = .sent(prepared, sent)
    return judge(sent, by: head, body, attempt)
  }

  private func judge(
    _ sent: SentCredential, by head: ResponseHead, _ body: DigestBody, _ attempt: Attempt
  ) -> Step {
    guard isMutual(head, body, sent, attempt.memory) else {
      sent.note(.serverNotAuthenticated, in: attempt.memory)
      return Step(outcome: .fail(.serverNotAuthenticated), report: abandonTrial(sent.space))
    }
    if head.status < 500 {
      sent.note(.accepted, in: attempt.memory)
      // Nearly every task has met no refusal.
      if !spaces.isEmpty { spaces[sent.space]?.hasRetriedPlainly = false }
      if let turn { attempt.memory.turns.noteAcceptance(of: turn.task, at: hop) }
      noteTrialAccepted(head, attempt)
    }
    if case .renewed(let renewal) = sent.source, head.status < 500 {
      attempt.memory.share(
        renewal.digest, for: renewal.key, generation: renewal.generation, insteadOf: renewal.failedNonce)
    }
    guard !sent.isPreemptive else { return Step(outcome: .proceed) }
    if sent.isOfOtherConnection, head.status < 500 {
      attempt.memory.nonces.ofConnections.noteAcceptance(in: sent.space)
    }
    // An error of the server's own says nothing about the credential.
    guard head.status < 500 else { return Step(outcome: .proceed, report: abandonTrial(sent.space)) }
    return Step(outcome: .proceed, report: accepted(sent, attempt))
  }

  /// The server has taken what it asked for: from now on it may go out unasked inside its scope.
  func accepted(_ sent: SentCredential, _ attempt: Attempt) -> TrialReport? {
    let scope = PreemptiveScope(
      method: sent.space.authenticationMethod, acceptedAt: attempt.use.url,
      // Of a proxy, the space is always the whole proxy (RFC 7616 §3.3).
      digestDomain: hop == .proxy ? [] : offer(for: sent.space)?.digest?.domain ?? [])
    if let entry = sent.entry {
      attempt.memory.accepted(entry.key, generation: entry.generation, scope: scope, at: attempt.use.url.path)
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
    return .accepted(mine.credential, space: sent.space, authenticator: mine.authenticator, scope: scope)
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
