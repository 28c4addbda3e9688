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
  private var hasRetriedPlainly = false

  private var next: Choice?
  private var attempt: Attempt?
  private var offers: [Offer] = []
  private var failureResponse: ResponseHead?

  private struct OwnCredential: Sendable {
    let credential: Credential
    var authenticator: Authenticator
    var isOnTrial: Bool
    let source: ProposedCredential.Source
  }

  /// Which credential the next exchange carries.
  private enum Choice: Sendable {
    case own(ProtectionSpace)
    case cached(CredentialCache.Key, offer: Offer)
  }

  /// What the running exchange carries.
  private struct Attempt: Sendable {
    let space: ProtectionSpace
    let kind: Credential.Kind
    /// Nil for a credential of the task's own.
    let cached: (key: CredentialCache.Key, generation: UInt64)?
    let ticket: DigestTicket?
    let isPreemptive: Bool
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
    guard !hasCallerAuthorization else { return nil }
    switch next {
    case .own(let space):
      next = nil
      guard var mine = own.removeValue(forKey: space) else { return nil }
      let made = try? mine.authenticator.authorize(
        method: use.method, target: use.url.requestTarget, body: body, clientNonce: clientNonce)
      guard let made else {
        // A body that would have to be hashed and cannot be: this offer leads nowhere.
        struck.insert(space)
        return nil
      }
      attempt = Attempt(
        space: space, kind: mine.credential.kind, cached: nil, ticket: made.ticket, isPreemptive: false)
      own[space] = mine
      return made.value
    case .cached(let key, let offer):
      next = nil
      return send(key, offer: offer, use, body, &cache, clientNonce)
    case nil:
      // A URL that names a user speaks for itself, and a credential for this task only is never sent unasked.
      guard use.url.userinfo == nil, let key = cache.preemptive(for: use, policy: policy),
        !struck.contains(key.space), let entry = cache.entry(key),
        !isRefused(entry.credential.kind, in: key.space)
      else { return nil }
      return send(key, offer: nil, use, body, &cache, clientNonce)
    }
  }

  private mutating func send(
    _ key: CredentialCache.Key, offer: Offer?, _ use: CredentialUse,
    _ body: (DigestAlgorithm) -> DigestBody, _ cache: inout CredentialCache, _ clientNonce: () -> String
  ) -> Secret? {
    guard
      let made = cache.authorize(key, offer: offer, use: use, body: body, clientNonce: clientNonce),
      let entry = cache.entry(key)
    else {
      if offer != nil { struck.insert(key.space) }
      return nil
    }
    attempt = Attempt(
      space: key.space, kind: entry.credential.kind, cached: (key, made.generation),
      ticket: made.authorization.ticket, isPreemptive: offer == nil)
    return made.authorization.value
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
    let answered = offers.first { $0.protectionSpace(of: use.url.origin) == attempt.space }
    guard let answered else {
      // Another realm or method: a new space, and no word on the credential.
      let report = abandonTrial(attempt.space)
      return Step(outcome: choose(use, &cache), report: report)
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
    guard !attempt.isPreemptive else { return Step(outcome: .proceed) }
    guard head.status < 500 else { return Step(outcome: .proceed, report: abandonTrial(attempt.space)) }
    let scope = PreemptiveScope(
      method: attempt.space.authenticationMethod, acceptedAt: use.url,
      digestDomain: domain(of: attempt.space))
    if let cached = attempt.cached {
      cache.accepted(cached.key, generation: cached.generation, scope: scope)
      return Step(outcome: .proceed)
    }
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
      let wasAccepted = attempt.cached.map { cache.entry($0.key)?.scopes.isEmpty == false } ?? true
      guard wasAccepted, ticket.nonceCount > 1, !hasRetriedPlainly else { return false }
      hasRetriedPlainly = true
    }
    if let cached = attempt.cached {
      // Somebody else may have brought a newer nonce meanwhile: take that, unless it has failed here as well.
      let mustAdopt = staleCount > 1
      let updated = cache.updateDigest(cached.key, generation: cached.generation) { digest in
        guard mustAdopt || digest.challenge.nonce == ticket.nonce else { return true }
        return digest.update(challenge: challenge)
      }
      guard updated == true else { return false }
      next = .cached(cached.key, offer: answered)
      return true
    }
    guard case .digest(var digest)? = own[attempt.space]?.authenticator else { return false }
    guard digest.update(challenge: challenge) else { return false }
    own[attempt.space]?.authenticator = .digest(digest)
    next = .own(attempt.space)
    return true
  }

  private mutating func refusal(
    of attempt: Attempt, _ use: CredentialUse, _ cache: inout CredentialCache
  ) -> Step {
    let space = attempt.space
    failures[space, default: 0] += 1
    refused[space, default: []].append(attempt.kind)
    let mine = own.removeValue(forKey: space)
    lastRefused[space] = ProposedCredential(user: attempt.kind.user, source: mine?.source ?? .session)
    if let cached = attempt.cached { cache.refused(cached.key, generation: cached.generation) }
    let report: TrialReport? = mine?.isOnTrial == true ? .refused(attempt.kind) : nil
    guard failures[space, default: 0] < refusalBudget else { return Step(outcome: .deliver, report: report) }
    return Step(outcome: choose(use, &cache), report: report)
  }

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
    case .performDefaultHandling(let wasAsked):
      if wasAsked && !confirmed.contains(space) && cache.needsConfirmation(space, use) {
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
          failureResponse: failureResponse))
    }
    return .deliver
  }

  /// Lookup order: the URL's userinfo, what this task was given, the session (challenges §7).
  private mutating func atHand(
    _ offer: Offer, _ space: ProtectionSpace, _ use: CredentialUse, _ cache: inout CredentialCache
  ) -> Choice? {
    let allowsStored = policy.allowsStored(space.authenticationMethod, over: space.origin)
    if allowsStored, let credential = use.url.userinfo?.credential, !isRefused(credential.kind, in: space),
      let authenticator = try? Authenticator(offer: offer, credential: credential)
    {
      own[space] = OwnCredential(
        credential: credential, authenticator: authenticator, isOnTrial: false, source: .url)
      return .own(space)
    }
    if own[space] != nil { return .own(space) }
    // A URL that names a user speaks for itself: nobody else's credential is put in its place.
    guard use.url.userinfo == nil else { return nil }
    var use = use
    use.isConfirmed = confirmed.contains(space)
    for entry in cache.candidates(for: space, use: use)
    where !isRefused(entry.credential.kind, in: space) && !entry.needsConfirmation(for: use) {
      guard allowsStored || entry.wasGivenForSpace else { continue }
      return .cached(CredentialCache.Key(space: space, user: entry.credential.user), offer: offer)
    }
    return nil
  }

  private mutating func proposed(
    for space: ProtectionSpace, _ use: CredentialUse, _ cache: inout CredentialCache
  ) -> ProposedCredential? {
    if let refused = lastRefused[space] { return refused }
    if let userinfo = use.url.userinfo { return ProposedCredential(user: userinfo.user, source: .url) }
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
