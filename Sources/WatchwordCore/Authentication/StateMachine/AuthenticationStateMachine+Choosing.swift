internal import WatchwordVocabulary

/// Chooses the next offer and the next credential (challenges.md 6.4 and storage.md 9.2.1).
extension AuthenticationStateMachine {
  /// Goes through the offers in order, once: a stored credential is used, else a delegate is asked.
  ///
  /// If no delegate can be asked, default handling moves on to the next offer (challenges.md 5.7).
  ///
  /// - Parameter fault: why the credential for an offer that default handling has just left could not be
  ///   used.
  func choose(_ attempt: Attempt, after fault: NegotiationFault? = nil) -> Outcome {
    let offers = refusal?.offers ?? []
    var unusable = fault
    for (index, offer) in offers.enumerated() {
      let space = offer.protectionSpace(for: attempt.use)
      guard !record(of: space).isExcluded else { continue }
      while let chosen = atHand(offer, space, attempt) {
        if let outcome = carryNext(chosen, attempt) { return outcome }
      }
      // A use that no other process can confirm: the task may be asked for a credential of its own
      // (storage.md 9.5.3).
      let questions =
        needsConfirmation(space, attempt) ? [ConfirmedUse(process: attempt.use.process), nil] : [nil]
      guard mayAsk(about: space),
        let confirmation = questions.first(where: {
          attempt.canAsk(space, sharing($0, attempt), $0, attempt.use.now)
        })
      else {
        if let outcome = takeOutside(for: space, attempt) { return outcome }
        unusable = unusable ?? record(of: space).fault
        spaces[space, default: SpaceRecord()].isExcluded = true
        continue
      }
      noteQuestion(about: space)
      return .ask(Subject(space: space, offers: offers[index...], confirmation: confirmation))
    }
    // Under default handling, the server's refusal would hide why the credential was not sent.
    if let unusable { return .fail(.negotiation(unusable)) }
    for offer in offers {
      let space = offer.protectionSpace(for: attempt.use)
      if let failure = record(of: space).sourceFailure { return .fail(.source(failure)) }
    }
    return .deliver
  }

  /// Whether the response, and the task, may raise another question (challenges.md 4.8 and 7.8).
  private func mayAsk(about space: ProtectionSpace) -> Bool {
    guard let refusal, refusal.questionCount > 0, refusal.questioned != space else { return true }
    return refusal.questionCount < AuthenticationStateMachine.questionLimit && !hasMetTooManyRefusals
  }

  private func noteQuestion(about space: ProtectionSpace) {
    guard let refusal, refusal.questioned != space else { return }
    if refusal.questionCount > 0 { roundCount += 1 }
    self.refusal?.questionCount += 1
    self.refusal?.questioned = space
  }

  func question(about subject: Subject, _ attempt: Attempt) -> ChallengeQuestion {
    let (space, confirmation) = (subject.space, subject.confirmation)
    let known = record(of: space)
    return ChallengeQuestion(
      url: attempt.use.taskURL ?? attempt.use.url, space: space,
      offers: subject.offers.filter { !record(of: $0.protectionSpace(for: attempt.use)).isExcluded },
      unusableOffers: unusableOffers, proposed: proposed(for: space, confirmation, attempt),
      previousFailureCount: known.failureCount,
      failureResponse: refusal?.response, weakerOffer: refusal?.weakerOffer, fault: known.fault,
      confirmation: confirmation, refused: known.refused + known.refusedToOthers,
      sharing: sharing(confirmation, attempt),
      route: RequestRoute(
        proxy: attempt.memory.ways.proxyOfTask(attempt.use.route, to: attempt.use.url.origin),
        host: attempt.use.route.host),
      callersWays: attempt.memory.ways.choices(
        to: attempt.use.url.origin, by: attempt.use.route, for: attempt.use.task,
        isForm: space.authenticationMethod == .htmlForm))
  }

  /// With whom the task waits. Two processes that are not known may be two.
  private func sharing(_ confirmation: ConfirmedUse?, _ attempt: Attempt) -> ChallengeQuestion.Sharing {
    guard !isAlone(attempt.use), confirmation == nil || confirmation?.process != nil else { return .alone }
    return .overWays(attempt.memory.ways.waysOfTask(attempt.use))
  }

  /// Lookup order: the URL's userinfo, the task's own credential, the session; those from outside the session
  /// come after them (storage.md 9.2.1).
  private func atHand(_ offer: Offer, _ space: ProtectionSpace, _ attempt: Attempt) -> Choice? {
    let known = record(of: space)
    let allowsStored = policy.allowsStored(space.authenticationMethod, over: space.origin)
    // Userinfo in a proxy's URL is consent for that proxy, also over cleartext.
    if allowsStored || space.isProxy, let credential = named(attempt.use)?.credential,
      !known.hasRefused(credential.kind), !known.hasFailed(credential.kind),
      !attempt.memory.refusedUserinfo.contains(credential.kind, in: space),
      CredentialCheck.fault(of: credential, for: space) == nil,
      let authenticator = try? Authenticator(offer: offer, credential: credential)
    {
      spaces[space, default: SpaceRecord()].own = SpaceRecord.OwnCredential(
        credential, authenticator, from: .url, chosenAfter: beganAfter ?? 0, now: attempt.use.now)
      return .own(space)
    }
    if known.own?.permits(attempt.use) == true, ownAnswers(offer, in: space) { return .own(space) }
    guard let entry = stored(for: space, attempt), allowsStored || entry.wasGivenForSpace else {
      return ambient(offer, space, attempt)
    }
    guard known.isConfirmed || !entry.needsConfirmation(for: attempt.use.process) else { return nil }
    let key = CredentialKey(entry.credential, for: space)
    return .cached(key, offer: offer, isRepeated: false)
  }

  /// A credential from outside the session.
  private struct OutsideCredential {
    let credential: Credential
    let source: ProposedCredential.Source
    /// The record of a permanent one.
    var permanent: CachedCredential?
  }

  /// A credential from outside the session that could answer here, a permanent one before one of netrc. A
  /// delegate is shown its user; default handling uses it (storage.md 9.2.6 and 9.6.3).
  private func outside(_ space: ProtectionSpace, _ attempt: Attempt) -> OutsideCredential? {
    guard policy.allowsStored(space.authenticationMethod, over: space.origin) else { return nil }
    let known = record(of: space)
    if let entry = attempt.memory.permanentCandidate(
      for: space, user: named(attempt.use)?.user, use: attempt.use),
      !known.hasRefused(entry.credential.kind), !known.hasFailed(entry.credential.kind)
    {
      return OutsideCredential(
        credential: entry.credential, source: ProposedCredential.Source(ofRecord: entry), permanent: entry)
    }
    // What netrc names is an origin.
    guard !attempt.memory.netrc.isEmpty, !space.isProxy, attempt.memory.countsNetrc(for: attempt.use),
      let credential = attempt.memory.netrc.credential(for: space, user: named(attempt.use)?.user),
      !known.hasRefused(credential.kind), !known.hasFailed(credential.kind)
    else { return nil }
    return OutsideCredential(credential: credential, source: .netrc)
  }

  /// Lets the task use it; nil if there is none, or none that fits the offer.
  ///
  /// - Parameter isConfirmed: whether a delegate has agreed to the use of this one.
  func takeOutside(for space: ProtectionSpace, _ attempt: Attempt, isConfirmed: Bool = false)
    -> Outcome?
  {
    guard let outside = outside(space, attempt), let offer = offer(for: space),
      isConfirmed || outside.permanent?.needsConfirmation(for: attempt.use.process) != true,
      let authenticator = try? Authenticator(offer: offer, credential: outside.credential)
    else { return nil }
    spaces[space, default: SpaceRecord()].own = SpaceRecord.OwnCredential(
      outside.credential, authenticator, from: outside.source,
      permanentNumber: outside.permanent?.generation, chosenAfter: beganAfter ?? 0, now: attempt.use.now)
    if let entry = outside.permanent {
      attempt.memory.permanent.noteUse(entry.generation, now: attempt.use.now)
    }
    return carryNext(.own(space), attempt)
  }

  /// The session's credential that this task may use in a space: the default user's, or that of the user whom
  /// the URL names; after a refusal only one that was stored since (challenges.md 7.9).
  private func stored(for space: ProtectionSpace, _ attempt: Attempt) -> CachedCredential? {
    let known = record(of: space)
    return attempt.memory.candidates(for: space, use: attempt.use).first { entry in
      suits(entry, attempt.use) && !known.hasRefused(entry.credential.kind)
        && !known.hasFailed(entry.credential.kind)
        && entry.generation > known.knownGeneration && !known.isGone(entry.generation)
    }
  }

  /// Whether an entry belongs to the user in the URL, or to the default user if the URL has none.
  ///
  /// No other user's credential replaces the user in an origin's URL. For a proxy, the default user's is the
  /// one that a delegate has given after the proxy refused its URL's.
  func suits(_ entry: CachedCredential, _ use: CredentialUse) -> Bool {
    guard entry.space.authenticationMethod != .key else { return false }
    guard use.proxyType == nil else {
      return entry.isDefault || entry.credential.kind == named(use)?.credential?.kind
    }
    return named(use).map { Bytewise($0.user) == Bytewise(entry.credential.user ?? "") } ?? entry.isDefault
  }

  /// Whether there is a stored credential here whose use a delegate must confirm first.
  func needsConfirmation(_ space: ProtectionSpace, _ attempt: Attempt) -> Bool {
    guard !record(of: space).isConfirmed else { return false }
    let entry = stored(for: space, attempt) ?? outside(space, attempt)?.permanent
    return entry?.needsConfirmation(for: attempt.use.process) == true
  }

  /// Whether it is one of the session.
  func hasUnconfirmed(_ space: ProtectionSpace, _ attempt: Attempt) -> Bool {
    !record(of: space).isConfirmed
      && stored(for: space, attempt)?.needsConfirmation(for: attempt.use.process) == true
  }

  /// The user that the challenge proposes: the one refused last, the URL's, or the session's default user.
  private func proposed(for space: ProtectionSpace, _ confirmation: ConfirmedUse?, _ attempt: Attempt)
    -> ProposedCredential?
  {
    let known = record(of: space)
    if let refused = known.lastRefused { return refused }
    // Default handling does not use what no other process can confirm.
    let usable = outside(space, attempt).flatMap {
      confirmation == nil && $0.permanent?.needsConfirmation(for: attempt.use.process) ?? false ? nil : $0
    }
    let outside = usable.map { ProposedCredential(user: $0.credential.user, source: $0.source) }
    if let named = named(attempt.use) { return outside ?? ProposedCredential(user: named.user, source: .url) }
    return attempt.memory.candidates(for: space, use: attempt.use)
      .first { $0.isDefault && !known.hasRefused($0.credential.kind) }
      .map { ProposedCredential(user: $0.credential.user, source: .session) } ?? outside
  }

  /// The daemon's own tickets, where the session has listed the origin; the session keeps them when they are
  /// accepted.
  private func ambient(_ offer: Offer, _ space: ProtectionSpace, _ attempt: Attempt) -> Choice? {
    guard space.authenticationMethod == .negotiate, named(attempt.use) == nil,
      settings.ambientOrigins.contains(space.origin)
    else { return nil }
    let credential = Credential(.kerberos(.defaultCache), persistence: .forSession)
    let known = record(of: space)
    guard !known.hasRefused(credential.kind), !known.hasFailed(credential.kind),
      let authenticator = try? Authenticator(offer: offer, credential: credential)
    else { return nil }
    spaces[space, default: SpaceRecord()].own = SpaceRecord.OwnCredential(
      credential, authenticator, isOnTrial: true, from: .ambient,
      chosenAfter: attempt.memory.refusedOutside.number, now: attempt.use.now)
    return .own(space)
  }
}

extension RequestURL.Userinfo {
  /// Complete only with a password; without one, only the name is proposed.
  var credential: Credential? {
    password.map { Credential(.password(user: user, password: $0), persistence: .none) }
  }
}
