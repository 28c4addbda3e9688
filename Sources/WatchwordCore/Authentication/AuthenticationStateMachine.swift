package import WatchwordSecret

/// The authentication of one task towards its origin: what to send, what a refusal means, what comes next.
///
/// Pure: the session's cache comes in with each event, time and randomness are arguments. The rules are
/// challenges §5 and §6; the machine knows nothing of who is asked, which is the board's business.
package struct AuthenticationStateMachine: Sendable {
  /// What the task does next.
  package enum Outcome: Sendable, Equatable {
    /// The response is no refusal; go on with it.
    case proceed
    /// Send the request again, with what `authorization` gives.
    case retry
    case ask(ChallengeQuestion)
    /// The refusal is the result.
    case deliver
    case fail(AuthenticationFailure)
  }

  /// What became of a credential that this task was given to try for everybody.
  package enum TrialReport: Sendable {
    case accepted(Credential, space: ProtectionSpace, authenticator: Authenticator, scope: PreemptiveScope)
    case refused(Credential.Kind)
    /// The server said nothing about it: an error of its own, or another realm.
    case inconclusive
  }

  package struct Step: Sendable {
    package let outcome: Outcome
    package var report: TrialReport?
  }

  /// Refusals that one task takes altogether: five in each of a dozen spaces. A server that names another realm
  /// every time would otherwise never end.
  static let roundLimit = 64

  /// Stale nonces met in one task before they count as a refusal: a server that never accepts its own nonce.
  static let staleLimit = 8

  private let policy: MethodPolicy
  private let refusalBudget: Int

  /// Offers struck for this task, by a disposition.
  private var struck: Set<ProtectionSpace> = []
  private var failures: [ProtectionSpace: Int] = [:]
  /// Never sent again to the space that refused them.
  private var refused: [ProtectionSpace: [Credential.Kind]] = [:]
  private var lastRefused: [ProtectionSpace: ProposedCredential] = [:]
  /// Credentials that serve this task only, or until the server has accepted them.
  private var own: [ProtectionSpace: OwnCredential] = [:]
  private var confirmed: Set<ProtectionSpace> = []
  private var staleCount = 0
  /// Spaces in which a reused nonce was refused without being called stale, and tried again once.
  private var retriedPlainly: Set<ProtectionSpace> = []
  /// Spaces whose credential was answered with another space's challenge.
  private var unheard: Set<ProtectionSpace> = []
  /// Entries of the cache up to this one were there when the task was refused in the space: they are no news.
  private var knownGeneration: [ProtectionSpace: UInt64] = [:]
  private var roundCount = 0
  /// What the task's URL named; redirects to the same origin do not carry it on.
  private var userinfo: (origin: Origin, userinfo: RequestURL.Userinfo)?

  private var next: Choice?
  private var attempt: Attempt?
  private var offers: [Offer] = []
  private var failureResponse: ResponseHead?

  private struct OwnCredential: Sendable {
    let credential: Credential
    var authenticator: Authenticator
    var isOnTrial: Bool
    var isAccepted = false
    let source: ProposedCredential.Source
  }

  /// Which credential the next exchange carries.
  private enum Choice: Sendable {
    case own(ProtectionSpace)
    case cached(CredentialCache.Key, offer: Offer, isRepeated: Bool)
    case renewed(Renewal)
  }

  /// A cached Digest credential with a nonce that this task keeps to itself until the server has accepted it:
  /// others using it at the same time could get it refused once more.
  private struct Renewal: Sendable {
    let key: CredentialCache.Key
    let generation: UInt64
    let failedNonce: String
    let kind: Credential.Kind
    var digest: DigestAuthenticator
  }

  /// What the running exchange carries.
  private struct Attempt: Sendable {
    let space: ProtectionSpace
    let kind: Credential.Kind
    /// Nil for a credential of the task's own.
    let cached: (key: CredentialCache.Key, generation: UInt64)?
    let ticket: DigestTicket?
    let isPreemptive: Bool
    /// The newest entry of the cache when it was sent.
    var knownGeneration: UInt64 = 0
    var renewal: Renewal?
  }

  package init(policy: MethodPolicy, refusalBudget: Int) {
    self.policy = policy
    self.refusalBudget = refusalBudget
  }

  /// The method of the credential that the running exchange carries.
  package var methodInUse: AuthenticationMethod? { attempt?.space.authenticationMethod }

  /// Whether the running exchange carries one that was sent unasked.
  package var isPreemptive: Bool { attempt?.isPreemptive ?? false }

  // MARK: Sending

  /// The `Authorization` value for the next exchange; nil when it goes without.
  package mutating func authorization(
    for use: CredentialUse, hasCallerAuthorization: Bool, body: (DigestAlgorithm) -> DigestBody,
    cache: inout CredentialCache, clientNonce: () -> String
  ) -> Secret? {
    attempt = nil
    if let named = use.url.userinfo { userinfo = (use.url.origin, named) }
    guard !hasCallerAuthorization else { return nil }
    let choice = next
    next = nil
    switch choice {
    case .own(let space):
      guard var mine = own.removeValue(forKey: space) else { return nil }
      let made = try? mine.authenticator.authorize(
        method: use.method, target: use.url.requestTarget, body: body, clientNonce: clientNonce)
      guard let made else {
        // A body that would have to be hashed and cannot be: this offer leads nowhere.
        struck.insert(space)
        return nil
      }
      attempt = Attempt(
        space: space, kind: mine.credential.kind, cached: nil, ticket: made.ticket, isPreemptive: false,
        knownGeneration: cache.latestGeneration)
      own[space] = mine
      return made.value
    case .cached(let key, let offer, let isRepeated):
      return send(key, offer: offer, isRepeated: isRepeated, use, body, &cache, clientNonce)
    case .renewed(let renewal):
      return send(renewal, use, body, clientNonce)
    case nil:
      // A URL that names a user speaks for itself, and a credential for this task only is never sent unasked.
      guard named(use) == nil, let key = cache.preemptive(for: use, policy: policy),
        !struck.contains(key.space), let entry = cache.entry(key),
        !isRefused(entry.credential.kind, in: key.space)
      else { return nil }
      return send(key, offer: nil, isRepeated: false, use, body, &cache, clientNonce)
    }
  }

  /// What the URL that the task began with said of this origin.
  private func named(_ use: CredentialUse) -> RequestURL.Userinfo? {
    use.url.userinfo ?? (userinfo?.origin == use.url.origin ? userinfo?.userinfo : nil)
  }

  private mutating func send(
    _ key: CredentialCache.Key, offer: Offer?, isRepeated: Bool, _ use: CredentialUse,
    _ body: (DigestAlgorithm) -> DigestBody, _ cache: inout CredentialCache, _ clientNonce: () -> String
  ) -> Secret? {
    var use = use
    use.isConfirmed = confirmed.contains(key.space)
    do throws(CredentialCache.UseFault) {
      let made = try cache.authorize(
        key, offer: offer, use: use, isRepeated: isRepeated, body: body, clientNonce: clientNonce)
      guard let entry = cache.entry(key) else { return nil }
      attempt = Attempt(
        space: key.space, kind: entry.credential.kind, cached: (key, made.generation),
        ticket: made.authorization.ticket, isPreemptive: offer == nil)
      return made.authorization.value
    } catch {
      switch error {
      case .gone: break
      case .unfit: if offer != nil { struck.insert(key.space) }
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
    let made = try? renewal.digest.authorization(
      method: use.method, target: use.url.requestTarget, body: hashed, clientNonce: clientNonce())
    guard let made else {
      struck.insert(renewal.key.space)
      return nil
    }
    attempt = Attempt(
      space: renewal.key.space, kind: renewal.kind, cached: (renewal.key, renewal.generation),
      ticket: made.ticket, isPreemptive: false, renewal: renewal)
    return made.value
  }

  // MARK: Hearing

  /// A response has arrived.
  package mutating func received(
    _ head: ResponseHead, for use: CredentialUse, hasCallerAuthorization: Bool, cache: inout CredentialCache
  ) -> Step {
    guard head.status == 401 else { return settled(head, use, &cache) }
    guard !hasCallerAuthorization else { return Step(outcome: .deliver) }
    offers = OfferSelection.offers(in: head.headers.values(of: "www-authenticate"), policy: policy)
    if policy.strongestOnly { offers = cache.withoutDowngrades(offers, from: use.url.origin) }
    failureResponse = head
    guard let attempt else { return Step(outcome: choose(use, &cache)) }
    self.attempt = nil
    roundCount += 1
    let answered = offers.first { $0.protectionSpace(of: use.url.origin) == attempt.space }
    guard let answered else {
      // Another realm or method: a new space, and no word on the credential. The second time it is one: two
      // spaces that point to each other would be walked for ever.
      guard attempt.isPreemptive || unheard.insert(attempt.space).inserted else {
        return refusal(of: attempt, use, &cache)
      }
      let report = abandonTrial(attempt.space)
      return Step(outcome: isWornOut ? .deliver : choose(use, &cache), report: report)
    }
    if retriesWithNewNonce(attempt, answered, &cache) { return Step(outcome: .retry) }
    return refusal(of: attempt, use, &cache)
  }

  /// The server's word on a credential that is no refusal.
  private mutating func settled(_ head: ResponseHead, _ use: CredentialUse, _ cache: inout CredentialCache)
    -> Step
  {
    guard let attempt else { return Step(outcome: .proceed) }
    if let ticket = attempt.ticket, case let information = head.headers.values(of: "authentication-info"),
      !information.isEmpty
    {
      guard isMutual(information, ticket, attempt, &cache) else {
        return Step(outcome: .fail(.serverNotAuthenticated), report: abandonTrial(attempt.space))
      }
    }
    if let renewal = attempt.renewal, head.status < 500 {
      cache.share(
        renewal.digest, for: renewal.key, generation: renewal.generation, insteadOf: renewal.failedNonce)
    }
    guard !attempt.isPreemptive else { return Step(outcome: .proceed) }
    guard head.status < 500 else { return Step(outcome: .proceed, report: abandonTrial(attempt.space)) }
    unheard.remove(attempt.space)
    let scope = PreemptiveScope(
      method: attempt.space.authenticationMethod, acceptedAt: use.url,
      digestDomain: domain(of: attempt.space))
    if let cached = attempt.cached {
      cache.accepted(cached.key, generation: cached.generation, scope: scope)
      return Step(outcome: .proceed)
    }
    own[attempt.space]?.isAccepted = true
    guard let mine = own[attempt.space], mine.isOnTrial else { return Step(outcome: .proceed) }
    own[attempt.space]?.isOnTrial = false
    if mine.credential.persistence != .none { own[attempt.space] = nil }
    return Step(
      outcome: .proceed,
      report: .accepted(
        mine.credential, space: attempt.space, authenticator: mine.authenticator, scope: scope))
  }

  private func domain(of space: ProtectionSpace) -> [String] {
    offers.first { $0.protectionSpace(of: space.origin) == space }?.digest?.domain ?? []
  }

  /// Takes over `nextnonce`, and says whether the server has proved that it knows the password, if it tried to.
  private mutating func isMutual(
    _ information: [String], _ ticket: DigestTicket, _ attempt: Attempt, _ cache: inout CredentialCache
  ) -> Bool {
    if var renewal = attempt.renewal {
      let result = renewal.digest.receive(authenticationInfo: information, ticket: ticket)
      self.attempt?.renewal = renewal
      return result != .wrong
    }
    if let cached = attempt.cached {
      let result = cache.updateDigest(cached.key, generation: cached.generation) {
        $0.receive(authenticationInfo: information, ticket: ticket)
      }
      return result != .wrong
    }
    guard case .digest(var digest)? = own[attempt.space]?.authenticator else { return true }
    let result = digest.receive(authenticationInfo: information, ticket: ticket)
    own[attempt.space]?.authenticator = .digest(digest)
    return result != .wrong
  }

  /// Whether the refusal only concerns the nonce: RFC 7616 §3.3 `stale`, or once a reused nonce that is not liked.
  private mutating func retriesWithNewNonce(
    _ attempt: Attempt, _ answered: Offer, _ cache: inout CredentialCache
  ) -> Bool {
    guard let ticket = attempt.ticket, let challenge = answered.digest else { return false }
    if challenge.isStale {
      guard staleCount < AuthenticationStateMachine.staleLimit else { return false }
      staleCount += 1
    } else {
      let wasAccepted =
        attempt.cached.map { cache.entry($0.key)?.scopes.isEmpty == false }
        ?? (own[attempt.space]?.isAccepted ?? false)
      guard wasAccepted, ticket.nonceCount > 1, retriedPlainly.insert(attempt.space).inserted else {
        return false
      }
    }
    guard let cached = attempt.cached else { return renewOwn(attempt.space, answered, challenge) }
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
        key: cached.key, generation: cached.generation, failedNonce: ticket.nonce, kind: attempt.kind,
        digest: digest))
    return true
  }

  private mutating func renewOwn(
    _ space: ProtectionSpace, _ answered: Offer, _ challenge: DigestChallenge
  ) -> Bool {
    guard case .digest(var digest)? = own[space]?.authenticator, let credential = own[space]?.credential
    else { return false }
    if digest.update(challenge: challenge) {
      own[space]?.authenticator = .digest(digest)
    } else if let made = try? Authenticator(offer: answered, credential: credential) {
      own[space]?.authenticator = made
    } else {
      return false
    }
    next = .own(space)
    return true
  }

  private mutating func refusal(
    of attempt: Attempt, _ use: CredentialUse, _ cache: inout CredentialCache
  ) -> Step {
    let space = attempt.space
    failures[space, default: 0] += 1
    refused[space, default: []].append(attempt.kind)
    let mine = own.removeValue(forKey: space)
    knownGeneration[space] = attempt.cached?.generation ?? attempt.knownGeneration
    lastRefused[space] = ProposedCredential(user: attempt.kind.user, source: mine?.source ?? .session)
    if let cached = attempt.cached { cache.refused(cached.key, generation: cached.generation) }
    let report: TrialReport? = mine?.isOnTrial == true ? .refused(attempt.kind) : nil
    guard failures[space, default: 0] < refusalBudget, !isWornOut else {
      return Step(outcome: .deliver, report: report)
    }
    return Step(outcome: choose(use, &cache), report: report)
  }

  /// Whether the task has been refused so often, wherever, that the refusal is the result.
  private var isWornOut: Bool { roundCount >= AuthenticationStateMachine.roundLimit }

  private mutating func abandonTrial(_ space: ProtectionSpace) -> TrialReport? {
    guard own[space]?.isOnTrial == true else { return nil }
    own[space]?.isOnTrial = false
    return .inconclusive
  }

  // MARK: Answers

  /// What the board said about the question that `ask` put.
  package mutating func answered(
    _ verdict: ChallengeVerdict, to question: ChallengeQuestion, use: CredentialUse,
    cache: inout CredentialCache
  ) -> Step {
    let space = question.space
    switch verdict {
    case .tryCredential(let credential):
      return take(credential, for: space, isOnTrial: true)
    case .useCredential(let credential):
      return take(credential, for: space, isOnTrial: false)
    case .useStored:
      return Step(outcome: choose(use, &cache))
    case .deliverRefusal:
      return Step(outcome: .deliver)
    case .performDefaultHandling(let isReply):
      if isReply && needsConfirmation(space, use, &cache) {
        confirmed.insert(space)
      } else {
        struck.insert(space)
      }
      return Step(outcome: choose(use, &cache))
    case .reject:
      struck.insert(space)
      return Step(outcome: choose(use, &cache))
    case .cancel:
      return Step(outcome: .fail(.userCancelled))
    }
  }

  private mutating func take(_ credential: Credential, for space: ProtectionSpace, isOnTrial: Bool) -> Step {
    guard !isRefused(credential.kind, in: space) else {
      return Step(outcome: .deliver, report: isOnTrial ? .refused(credential.kind) : nil)
    }
    let offer = offers.first { $0.protectionSpace(of: space.origin) == space }
    guard let offer, let authenticator = try? Authenticator(offer: offer, credential: credential) else {
      return Step(outcome: .deliver, report: isOnTrial ? .inconclusive : nil)
    }
    own[space] = OwnCredential(
      credential: credential, authenticator: authenticator, isOnTrial: isOnTrial, source: .session)
    next = .own(space)
    return Step(outcome: .retry)
  }

  // MARK: Choosing

  /// What to do about the last refusal now, when time has passed since it was heard.
  package mutating func reconsidered(for use: CredentialUse, cache: inout CredentialCache) -> Outcome {
    choose(use, &cache)
  }

  /// Goes through the offers in order: a credential at hand is used, else somebody is asked.
  private mutating func choose(_ use: CredentialUse, _ cache: inout CredentialCache) -> Outcome {
    for offer in offers {
      let space = offer.protectionSpace(of: use.url.origin)
      guard !struck.contains(space) else { continue }
      if let chosen = atHand(offer, space, use, &cache) {
        next = chosen
        return .retry
      }
      return .ask(
        ChallengeQuestion(
          url: use.url, space: space,
          offers: offers.filter { !struck.contains($0.protectionSpace(of: use.url.origin)) },
          proposed: proposed(for: space, use, &cache), previousFailureCount: failures[space] ?? 0,
          failureResponse: failureResponse, refused: refused[space] ?? []))
    }
    return .deliver
  }

  /// Lookup order: the URL's userinfo, what this task was given, the session (challenges §7).
  private mutating func atHand(
    _ offer: Offer, _ space: ProtectionSpace, _ use: CredentialUse, _ cache: inout CredentialCache
  ) -> Choice? {
    let allowsStored = policy.allowsStored(space.authenticationMethod, over: space.origin)
    let named = named(use)
    if allowsStored, let credential = named?.credential, !isRefused(credential.kind, in: space),
      let authenticator = try? Authenticator(offer: offer, credential: credential)
    {
      own[space] = OwnCredential(
        credential: credential, authenticator: authenticator, isOnTrial: false, source: .url)
      return .own(space)
    }
    if own[space] != nil { return .own(space) }
    guard let entry = stored(for: space, use, &cache), allowsStored || entry.wasGivenForSpace else {
      return nil
    }
    var use = use
    use.isConfirmed = confirmed.contains(space)
    guard !entry.needsConfirmation(for: use) else { return nil }
    let key = CredentialCache.Key(space: space, user: entry.credential.user)
    return .cached(key, offer: offer, isRepeated: false)
  }

  /// The session's credential that this task may use in a space: the default user's, or that of the user whom
  /// the URL names; after a refusal only one that was stored since [KIO].
  private func stored(
    for space: ProtectionSpace, _ use: CredentialUse, _ cache: inout CredentialCache
  ) -> CachedCredential? {
    let named = named(use)
    return cache.candidates(for: space, use: use).first { entry in
      // A URL that names a user speaks for itself: nobody else's credential is put in its place.
      (named.map { Bytewise($0.user) == Bytewise(entry.credential.user ?? "") } ?? entry.isDefault)
        && !isRefused(entry.credential.kind, in: space)
        && entry.generation > knownGeneration[space] ?? 0
    }
  }

  private func needsConfirmation(
    _ space: ProtectionSpace, _ use: CredentialUse, _ cache: inout CredentialCache
  ) -> Bool {
    !confirmed.contains(space) && stored(for: space, use, &cache)?.needsConfirmation(for: use) == true
  }

  private mutating func proposed(
    for space: ProtectionSpace, _ use: CredentialUse, _ cache: inout CredentialCache
  ) -> ProposedCredential? {
    if let refused = lastRefused[space] { return refused }
    if let named = named(use) { return ProposedCredential(user: named.user, source: .url) }
    return cache.candidates(for: space, use: use).first { !isRefused($0.credential.kind, in: space) }
      .map { ProposedCredential(user: $0.credential.user, source: .session) }
  }

  private func isRefused(_ kind: Credential.Kind, in space: ProtectionSpace) -> Bool {
    refused[space]?.contains(kind) ?? false
  }
}

/// Why authentication ends a task without a response to deliver.
package enum AuthenticationFailure: Sendable, Equatable {
  case userCancelled
  /// Digest `rspauth` was wrong: the server does not know the password (RFC 7616 §3.5).
  case serverNotAuthenticated
}

extension RequestURL.Userinfo {
  /// Complete only with a password; a name alone is proposed to whoever is asked.
  fileprivate var credential: Credential? {
    password.map { Credential(.password(user: user, password: $0), persistence: .none) }
  }
}

extension Credential.Kind {
  var user: String? {
    switch self {
    case .password(let user, _): user
    case .token: nil
    }
  }
}
