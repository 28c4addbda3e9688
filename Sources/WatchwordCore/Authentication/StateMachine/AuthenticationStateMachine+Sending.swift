internal import WatchwordVocabulary

/// What an exchange carries.
extension AuthenticationStateMachine {
  /// What is known of the `Authorization` value before the request has a connection.
  enum Preparation: Sendable {
    /// The value; nil: the request goes without.
    case ready(Secret?)
    /// A login form is posted first.
    case login(LoginForm, content: Secret)
    /// The login page is fetched again before that.
    case freshForm
    /// `authorization` computes it when the request goes onto its connection: counts of a nonce that are
    /// given earlier arrive in another order, and a credential may be gone by then.
    case late
    /// The request's body has to be read and hashed before. Prepare again then.
    case bodyUnread
    /// Another task sends to the space first. Prepare again when the turn comes.
    case waiting
    /// A token has to be made first; prepare again when `negotiated` says so.
    indirect case token(NegotiationStep)
  }

  /// Chooses what the next exchange carries.
  func prepare(
    _ attempt: Attempt, hasCallerAuthorization: Bool, body: (DigestAlgorithm) -> DigestBody
  ) -> Preparation {
    beganAfter = beganAfter ?? attempt.memory.refusedOutside.number
    endExchange()
    if let named = attempt.use.url.userinfo { userinfo = (attempt.use.url.origin, named) }
    guard !hasCallerAuthorization else {
      next = .nothing
      releaseTurns(attempt)
      return .ready(nil)
    }
    guard
      let choice = next.choice ?? acceptedByProxy(attempt.use)
        ?? unasked(attempt.use, attempt.memory).map({ .unasked($0) })
    else {
      if turn?.isForLogin != true { releaseTurn(attempt.memory) }
      leaveTrial(attempt.memory)
      releaseConnection(attempt)
      return .ready(nil)
    }
    guard !dropsRefused(choice, attempt.memory), case let entry = entersTrial(choice, attempt),
      entry != .passesOver
    else {
      next = .nothing
      releaseTurns(attempt)
      return .ready(nil)
    }
    guard entry == .goes else {
      releaseTurn(attempt.memory)
      releaseConnection(attempt)
      return .waiting
    }
    if choice.space.authenticationMethod.isConnectionBound {
      releaseTurn(attempt.memory)
      return prepare(onConnection: choice, attempt)
    }
    releaseConnection(attempt)
    let prepared = Prepared(choice)
    if let algorithm = bodyAlgorithm(choice, attempt.memory) {
      let hashed = body(algorithm)
      if case .unread = hashed { return .bodyUnread }
      prepared.bodyHash = (algorithm.hash, hashed)
    }
    let form = form(for: choice)
    let mayGo =
      form != nil
      ? takesLoginTurn(attempt) : turn?.isForLogin == true || takesTurn(choice.sharedSpace, attempt)
    guard mayGo else { return .waiting }
    if form != nil, !logins.isFormFresh {
      next = .choice(choice)
      return .freshForm
    }
    next = .nothing
    if choice.isUnasked, named(attempt.use) == nil { prepared.revision = attempt.memory.revision }
    phase = .prepared(prepared)
    if let form {
      logins.isFormFresh = false
      return send(choice, attempt).map { .login(form, content: $0) } ?? .ready(nil)
    }
    return choice.isLate ? .late : .ready(send(choice, attempt))
  }

  /// The `Authorization` value of the exchange that has been prepared; nil when it goes without after all.
  ///
  /// Another value each time: a request that is sent once more has another count.
  func authorization(_ attempt: Attempt) -> Secret? {
    if trial != nil, let task = attempt.use.task {
      attempt.memory.trials.begin(task, at: hop, now: attempt.use.now)
    }
    guard let prepared else { return nil }
    phase = .prepared(prepared)
    guard prepared.choice.isUnasked else {
      guard !dropsRefused(prepared.choice, attempt.memory) else { return nil }
      // The engine sends the same request once more.
      if prepared.wasCarried { noteRepetition(of: prepared.choice) }
      return send(prepared.choice, attempt)
    }
    // What was to be sent may have been replaced meanwhile, or its last use taken.
    if let revision = prepared.revision, revision == attempt.memory.revision,
      mayGo(prepared.choice, attempt), let value = send(prepared.choice, attempt)
    {
      return value
    }
    guard let key = unasked(attempt.use, attempt.memory), mayGo(.unasked(key), attempt) else { return nil }
    return send(.unasked(key), attempt)
  }

  private func mayGo(_ choice: Choice, _ attempt: Attempt) -> Bool {
    choice.sharedSpace.map { mayShareNonce(of: $0, attempt) } ?? true
  }

  /// The exchange that was prepared did not begin, or its request is sent once more: it is prepared again. A
  /// use of its credential that is counted is counted once.
  func takeBack() {
    guard let prepared else { return }
    if prepared.wasCarried { noteRepetition(of: prepared.choice) }
    if !prepared.choice.isUnasked { next = .choice(prepared.choice) }
    phase = sent.map { .takenBack($0) } ?? .idle
  }

  /// The same request goes out once more with the task's own credential: that is no further use.
  func noteRepetition(of choice: Choice) {
    if case .own(let space) = choice { spaces[space]?.own?.isRepeated = true }
  }

  /// Another request follows, which is a use of its own.
  func endRepetitions() {
    for space in spaces.keys { spaces[space]?.own?.isRepeated = false }
  }

  /// The credential that may be sent before the server asks for it.
  ///
  /// An origin's URL that names a user speaks for itself, and a credential for this task only is never sent
  /// unasked.
  func unasked(_ use: CredentialUse, _ memory: SessionMemory) -> CredentialKey? {
    var named = named(use)?.credential?.kind
    if isAlone(use) { return nil }
    if let userinfo = named {
      let isRefused = spaces.values.contains { $0.hasRefused(userinfo) }
      if isRefused || memory.hasRefusedUserinfo(userinfo, at: use.url.origin) { named = nil }
    }
    guard let key = memory.preemptive(for: use, naming: named, policy: policy) else { return nil }
    // Nearly every task has met no refusal yet.
    guard !spaces.isEmpty else { return key }
    guard let kind = memory.entry(key)?.credential.kind else { return nil }
    // One for any realm was refused by the one that the server named.
    let isKnown = spaces.contains { space, known in
      space == key.space && known.isExcluded
        || (space == key.space || key.space.isOfAnyRealm && space.ofAnyRealm == key.space)
          && (known.hasRefused(kind) || known.hasFailed(kind))
    }
    return isKnown ? nil : key
  }

  /// The task's own credential that this proxy has accepted before: every request passes the whole proxy.
  private func acceptedByProxy(_ use: CredentialUse) -> Choice? {
    guard hop == .proxy, !spaces.isEmpty else { return nil }
    return spaces.first { space, known in
      space.origin == use.url.origin && space.proxyType == use.proxyType && known.own?.isAccepted == true
    }.map { .own($0.key) }
  }

  /// By which algorithm the request's body has to be hashed for this choice; nil when it need not be.
  private func bodyAlgorithm(_ choice: Choice, _ memory: SessionMemory) -> DigestAlgorithm? {
    switch choice {
    case .own(let space):
      guard case .digest(let digest)? = spaces[space]?.own?.authenticator else { return nil }
      return digest.challenge.bodyAlgorithm
    case .cached(let key, let offer, _):
      // The challenge in use stays, or gives way to the offered one.
      return offer?.digest?.bodyAlgorithm ?? memory.entry(key)?.digest?.challenge.bodyAlgorithm
    case .unasked(let key):
      return key.space.isDigest ? memory.entry(key)?.digest?.challenge.bodyAlgorithm : nil
    case .renewed(let renewal): return renewal.digest.challenge.bodyAlgorithm
    }
  }

  /// The hash of the request's body that was made for the prepared exchange.
  private func body(_ algorithm: DigestAlgorithm) -> DigestBody {
    guard let hash = prepared?.bodyHash, hash.algorithm == algorithm.hash else { return .unread }
    return hash.body
  }

  func send(_ choice: Choice, _ attempt: Attempt) -> Secret? {
    guard isOnItsWay(choice, attempt), let choice = onConnection(choice, attempt) else { return nil }
    defer { noteConnection(attempt) }
    return switch choice {
    case .own(let space):
      send(own: space, attempt)
    case .cached(let key, let offer, let isRepeated):
      send(key, offer: offer, isRepeated: isRepeated, attempt)
    case .unasked(let key):
      send(key, offer: nil, isRepeated: false, attempt)
    case .renewed(let renewal):
      send(renewal, attempt)
    }
  }

  /// Whether callers have not chosen another way since a record of the account was chosen (storage.md
  /// 9.6.12).
  private func isOnItsWay(_ choice: Choice, _ attempt: Attempt) -> Bool {
    switch choice {
    case .own(let space):
      guard let number = spaces[space]?.own?.permanentNumber, !attempt.memory.counts(number, for: attempt.use)
      else {
        return true
      }
      spaces[space]?.own = nil
      return false
    case .cached(let key, _, _), .unasked(let key): return attempt.memory.counts(key, for: attempt.use)
    case .renewed(let renewal): return attempt.memory.counts(renewal.key, for: attempt.use)
    }
  }

  private func send(own space: ProtectionSpace, _ attempt: Attempt) -> Secret? {
    guard var mine = spaces[space]?.own, mine.permits(attempt.use) else { return nil }
    mine.noteUse(now: attempt.use.now)
    let made: Authenticator.Authorization
    do throws(DigestFault) {
      made = try mine.authenticator.authorize(
        method: attempt.use.method, target: attempt.use.requestTarget, at: space,
        counts: &attempt.memory.nonces.counts, body: body, clientNonce: settings.clientNonce)
    } catch {
      // A body that would have to be hashed and cannot be: this offer leads nowhere. A nonce that is used up
      // cannot be the reason: this one is of this task only.
      spaces[space]?.own = nil
      spaces[space]?.isExcluded = true
      return nil
    }
    spaces[space]?.own = mine
    // A proxy's userinfo comes before the session's credential, which is tried after it.
    let isUserinfo = hop == .proxy && mine.source == .url
    noteSent(
      SentCredential(
        kind: mine.credential.kind, source: .own(space), ticket: made.ticket,
        knownGeneration: isUserinfo ? 0 : attempt.memory.latestGeneration))
    return made.value
  }

  private func send(_ key: CredentialKey, offer: Offer?, isRepeated: Bool, _ attempt: Attempt)
    -> Secret?
  {
    do throws(CredentialUseFault) {
      let made = try attempt.memory.authorize(
        key, offer: offer, use: attempt.use, isRepeated: isRepeated, body: body,
        clientNonce: settings.clientNonce)
      noteSent(
        SentCredential(
          kind: made.kind, source: .cached(key, generation: made.generation),
          ticket: made.authorization.ticket, isPreemptive: offer == nil, knownGeneration: made.generation),
        repeated: .cached(key, offer: offer, isRepeated: true))
      return made.authorization.value
    } catch {
      switch error {
      case .bodyUnread: break
      case .gone:
        // What was chosen in answer to a challenge and cannot be sent would be chosen again.
        if offer != nil, let entry = attempt.memory.entry(key) {
          spaces[key.space, default: SpaceRecord()].noteGone(entry.generation)
        }
      case .unfit: if offer != nil { spaces[key.space, default: SpaceRecord()].isExcluded = true }
      }
      return nil
    }
  }

  private func send(_ renewal: Renewal, _ attempt: Attempt) -> Secret? {
    var renewal = renewal
    let space = renewal.key.space
    let nonce = renewal.digest.challenge.nonce
    renewal.digest.raise(to: attempt.memory.nonces.counts.count(of: nonce, at: space))
    let hashed = renewal.digest.needsBodyHash ? body(renewal.digest.challenge.algorithm) : .unknown
    let made: (value: Secret, ticket: DigestTicket)
    do throws(DigestFault) {
      made = try renewal.digest.authorization(
        method: attempt.use.method, target: attempt.use.requestTarget, body: hashed,
        clientNonce: attempt.memory.nonces.counts.clientNonce(of: nonce, at: space) ?? settings.clientNonce())
    } catch {
      spaces[renewal.key.space, default: SpaceRecord()].isExcluded = true
      return nil
    }
    attempt.memory.nonces.counts.note(made.ticket, at: space)
    noteSent(
      SentCredential(
        kind: renewal.kind, source: .renewed(renewal), ticket: made.ticket,
        knownGeneration: renewal.generation), repeated: .renewed(renewal))
    return made.value
  }
}
