package import WatchwordSecret
internal import WatchwordVocabulary

/// What an exchange carries.
extension AuthenticationStateMachine {
  /// What is known of the `Authorization` value before the request has a connection.
  package enum Preparation: Sendable {
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
  package mutating func prepare(
    for use: CredentialUse, hasCallerAuthorization: Bool, body: (DigestAlgorithm) -> DigestBody,
    cache: inout CredentialCache, clientNonce: () -> String
  ) -> Preparation {
    beganAfter = beganAfter ?? cache.refusedOutside.number
    sent = nil
    unproved = nil
    deprived = nil
    carried = nil
    wasCarried = false
    revision = nil
    bodyHash = nil
    if let named = use.url.userinfo { userinfo = (use.url.origin, named) }
    guard !hasCallerAuthorization else {
      next = nil
      releaseTurns(use, &cache)
      return .ready(nil)
    }
    guard let choice = next ?? acceptedByProxy(use) ?? unasked(use, &cache).map({ .unasked($0) }) else {
      if !isTurnOfLogin { releaseTurn(&cache) }
      leaveTrial(&cache)
      releaseConnection(use, &cache)
      return .ready(nil)
    }
    guard !dropsRefused(choice, cache), case let entry = entersTrial(choice, use, &cache),
      entry != .passesOver
    else {
      next = nil
      releaseTurns(use, &cache)
      return .ready(nil)
    }
    guard entry == .goes else {
      releaseTurn(&cache)
      releaseConnection(use, &cache)
      return .waiting
    }
    if choice.space.authenticationMethod.isConnectionBound {
      releaseTurn(&cache)
      return prepare(onConnection: choice, use, &cache, clientNonce)
    }
    releaseConnection(use, &cache)
    if let algorithm = bodyAlgorithm(choice, cache) {
      let hashed = body(algorithm)
      if case .unread = hashed { return .bodyUnread }
      bodyHash = (algorithm.hash, hashed)
    }
    let form = form(for: choice)
    let mayGo =
      form != nil ? takesLoginTurn(use, &cache) : isTurnOfLogin || takesTurn(choice.sharedSpace, use, &cache)
    guard mayGo else { return .waiting }
    if form != nil, !isFormFresh {
      next = choice
      return .freshForm
    }
    next = nil
    deferred = nil
    carried = choice
    if choice.isUnasked, named(use) == nil { revision = cache.revision }
    if let form {
      isFormFresh = false
      return send(choice, use, &cache, clientNonce).map { .login(form, content: $0) } ?? .ready(nil)
    }
    return choice.isLate ? .late : .ready(send(choice, use, &cache, clientNonce))
  }

  /// The `Authorization` value of the exchange that has been prepared; nil when it goes without after all.
  ///
  /// Another value each time: a request that is sent once more has another count.
  package mutating func authorization(
    for use: CredentialUse, cache: inout CredentialCache, clientNonce: () -> String
  ) -> Secret? {
    sent = nil
    if trial != nil, let task = use.task { cache.trials.begin(task, at: hop, now: use.now) }
    guard case .unasked = carried else {
      guard let carried, !dropsRefused(carried, cache) else { return nil }
      // The engine sends the same request once more.
      if wasCarried, case .own(let space) = carried { spaces[space]?.own?.isRepeated = true }
      let value = send(carried, use, &cache, clientNonce)
      if value != nil { wasCarried = true }
      return value
    }
    // What was to be sent may have been replaced meanwhile, or its last use taken.
    if let carried, let revision, revision == cache.revision, mayGo(carried, use, cache),
      let value = send(carried, use, &cache, clientNonce)
    {
      return value
    }
    guard let key = unasked(use, &cache), mayGo(.unasked(key), use, cache) else { return nil }
    return send(.unasked(key), use, &cache, clientNonce)
  }

  private func mayGo(_ choice: Choice, _ use: CredentialUse, _ cache: CredentialCache) -> Bool {
    choice.sharedSpace.map { mayShareNonce(of: $0, use, cache) } ?? true
  }

  /// The exchange that was prepared did not begin, or its request is sent once more: it is prepared again. A
  /// use of its credential that is counted is counted once.
  mutating func takeBack() {
    defer { carried = nil }
    switch carried {
    case .unasked?, nil: return
    case .own(let space)?: if wasCarried || sent != nil { spaces[space]?.own?.isRepeated = true }
    case .cached?, .renewed?: break
    }
    next = carried
  }

  /// Another request follows, which is a use of its own.
  mutating func endRepetitions() {
    for space in spaces.keys { spaces[space]?.own?.isRepeated = false }
  }

  /// The credential that may be sent before the server asks for it.
  ///
  /// An origin's URL that names a user speaks for itself, and a credential for this task only is never sent
  /// unasked.
  func unasked(_ use: CredentialUse, _ cache: inout CredentialCache) -> CredentialCache.Key? {
    var named = named(use)?.credential?.kind
    if isAlone(use) { return nil }
    if let userinfo = named {
      let isRefused = spaces.values.contains { $0.hasRefused(userinfo) }
      if isRefused || cache.hasRefusedUserinfo(userinfo, at: use.url.origin) { named = nil }
    }
    guard let key = cache.preemptive(for: use, naming: named, policy: policy) else { return nil }
    // Nearly every task has met no refusal yet.
    guard !spaces.isEmpty else { return key }
    guard let kind = cache.entry(key)?.credential.kind else { return nil }
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
  private func bodyAlgorithm(_ choice: Choice, _ cache: CredentialCache) -> DigestAlgorithm? {
    switch choice {
    case .own(let space):
      guard case .digest(let digest)? = spaces[space]?.own?.authenticator else { return nil }
      return digest.challenge.bodyAlgorithm
    case .cached(let key, let offer, _):
      // The challenge in use stays, or gives way to the offered one.
      return offer?.digest?.bodyAlgorithm ?? cache.entry(key)?.digest?.challenge.bodyAlgorithm
    case .unasked(let key):
      return key.space.isDigest ? cache.entry(key)?.digest?.challenge.bodyAlgorithm : nil
    case .renewed(let renewal): return renewal.digest.challenge.bodyAlgorithm
    }
  }

  /// A closure of its own: one of the machine would copy the machine.
  private var body: (DigestAlgorithm) -> DigestBody {
    { [bodyHash] algorithm in
      guard let bodyHash, bodyHash.algorithm == algorithm.hash else { return .unread }
      return bodyHash.body
    }
  }

  mutating func send(
    _ choice: Choice, _ use: CredentialUse, _ cache: inout CredentialCache, _ clientNonce: () -> String
  ) -> Secret? {
    guard isOnItsWay(choice, use, cache), let choice = onConnection(choice, use, &cache) else { return nil }
    defer { noteConnection(use, cache) }
    return switch choice {
    case .own(let space):
      send(own: space, use, &cache, clientNonce)
    case .cached(let key, let offer, let isRepeated):
      send(key, offer: offer, isRepeated: isRepeated, use, &cache, clientNonce)
    case .unasked(let key):
      send(key, offer: nil, isRepeated: false, use, &cache, clientNonce)
    case .renewed(let renewal):
      send(renewal, use, &cache, clientNonce)
    }
  }

  /// Whether callers have not chosen another way since a record of the account was chosen (storage.md
  /// 9.6.12).
  private mutating func isOnItsWay(_ choice: Choice, _ use: CredentialUse, _ cache: CredentialCache) -> Bool {
    switch choice {
    case .own(let space):
      guard let number = spaces[space]?.own?.permanentNumber, !cache.counts(number, for: use) else {
        return true
      }
      spaces[space]?.own = nil
      return false
    case .cached(let key, _, _), .unasked(let key): return cache.counts(key, for: use)
    case .renewed(let renewal): return cache.counts(renewal.key, for: use)
    }
  }

  private mutating func send(
    own space: ProtectionSpace, _ use: CredentialUse, _ cache: inout CredentialCache,
    _ clientNonce: () -> String
  ) -> Secret? {
    guard var mine = spaces[space]?.own, mine.permits(use) else { return nil }
    mine.noteUse(now: use.now)
    let made: Authenticator.Authorization
    do throws(DigestFault) {
      made = try mine.authenticator.authorize(
        method: use.method, target: use.requestTarget, at: space, counts: &cache.nonceCounts, body: body,
        clientNonce: clientNonce)
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
    sent = SentCredential(
      kind: mine.credential.kind, source: .own(space), ticket: made.ticket,
      knownGeneration: isUserinfo ? 0 : cache.latestGeneration)
    return made.value
  }

  private mutating func send(
    _ key: CredentialCache.Key, offer: Offer?, isRepeated: Bool, _ use: CredentialUse,
    _ cache: inout CredentialCache, _ clientNonce: () -> String
  ) -> Secret? {
    var use = use
    use.isConfirmed = spaces[key.space]?.isConfirmed ?? false
    do throws(CredentialCache.UseFault) {
      let made = try cache.authorize(
        key, offer: offer, use: use, isRepeated: isRepeated, body: body, clientNonce: clientNonce)
      sent = SentCredential(
        kind: made.kind, source: .cached(key, generation: made.generation),
        ticket: made.authorization.ticket, isPreemptive: offer == nil, knownGeneration: made.generation)
      carried = .cached(key, offer: offer, isRepeated: true)
      return made.authorization.value
    } catch {
      switch error {
      case .bodyUnread: break
      case .gone:
        // What was chosen in answer to a challenge and cannot be sent would be chosen again.
        if offer != nil, let entry = cache.entry(key) {
          spaces[key.space, default: SpaceRecord()].noteGone(entry.generation)
        }
      case .unfit: if offer != nil { spaces[key.space, default: SpaceRecord()].isExcluded = true }
      }
      return nil
    }
  }

  private mutating func send(
    _ renewal: Renewal, _ use: CredentialUse, _ cache: inout CredentialCache, _ clientNonce: () -> String
  ) -> Secret? {
    var renewal = renewal
    let space = renewal.key.space
    let nonce = renewal.digest.challenge.nonce
    renewal.digest.raise(to: cache.nonceCounts.count(of: nonce, at: space))
    let hashed = renewal.digest.needsBodyHash ? body(renewal.digest.challenge.algorithm) : .unknown
    let made: (value: Secret, ticket: DigestTicket)
    do throws(DigestFault) {
      made = try renewal.digest.authorization(
        method: use.method, target: use.requestTarget, body: hashed,
        clientNonce: cache.nonceCounts.clientNonce(of: nonce, at: space) ?? clientNonce())
    } catch {
      spaces[renewal.key.space, default: SpaceRecord()].isExcluded = true
      return nil
    }
    cache.nonceCounts.note(made.ticket, at: space)
    carried = .renewed(renewal)
    sent = SentCredential(
      kind: renewal.kind, source: .renewed(renewal), ticket: made.ticket,
      knownGeneration: renewal.generation)
    return made.value
  }
}

extension AuthenticationStateMachine.Choice {
  /// The space that it is for.
  var space: ProtectionSpace {
    switch self {
    case .own(let space): space
    case .cached(let key, _, _), .unasked(let key): key.space
    case .renewed(let renewal): renewal.key.space
    }
  }

  /// The space whose nonce it shares with other tasks; nil when it shares none.
  var sharedSpace: ProtectionSpace? {
    switch self {
    case .own: nil
    case .cached(let key, _, _), .unasked(let key): key.space.isDigest ? key.space : nil
    case .renewed(let renewal): renewal.key.space
    }
  }

  /// Whether its value is made when the request goes onto its connection: it is another one for each request,
  /// or a credential that others may have replaced or removed while the request waited.
  fileprivate var isLate: Bool {
    switch self {
    case .own(let space): space.isAuthorizedLate
    case .cached(let key, _, _), .unasked(let key): key.space.isAuthorizedLate
    case .renewed: true
    }
  }
}

extension ProtectionSpace {
  fileprivate var isDigest: Bool { authenticationMethod == .digest }

  /// Whether its field is made when the request goes onto its connection. What a SOCKS proxy is sent is part
  /// of the request.
  fileprivate var isAuthorizedLate: Bool {
    switch authenticationMethod {
    case .basic, .bearer, .digest: proxyType?.isSOCKS != true
    case .negotiate, .ntlm, .htmlForm, .serverTrust, .clientCertificate, .agentUnlock, .key: false
    }
  }
}
