internal import WatchwordCore
internal import WatchwordMessages
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordTransport
internal import WatchwordVault
internal import WatchwordVocabulary

/// What each effect of the session's state means for its tasks, its holders and its connections.
extension SessionDriver {
  func perform(_ effect: SessionEffect) {
    switch effect {
    case .send(let task, let request, let partition, let isAskedForIdentities):
      find(task)?.send(request, over: partition, isAskedForIdentities: isAskedForIdentities)
    case .task(let task, let effect): find(task)?.perform(effect)
    case .notify(let peer, let challenge):
      if challenge.asked.count == 1 { counters.countRaised(challenge.question.space.authenticationMethod) }
      environment.notify(peer, of: challenge, in: self)
    case .settled(let challenge, let outcome, let disposition, let asked):
      counters.countSettled(outcome)
      let settled = Sent.ChallengeDidSettle(
        challenge: challenge, session: name, outcome: outcome.rawValue, disposition: disposition?.rawValue)
      environment.notify(asked, .challengeDidSettle(settled))
    case .announce(let key, let change, let peers):
      let announced = Sent.CredentialDidChange(session: name, key: key, change: change)
      environment.notify(peers, .credentialDidChange(announced))
    case .announceMany(let count, let peers):
      environment.notify(peers, .credentialDidChange(Sent.CredentialDidChange(session: name, count: count)))
    case .announceIdentity(let change, let peers):
      let announced = Sent.CredentialDidChange(session: name, identity: change)
      environment.notify(peers, .credentialDidChange(announced))
    case .readSource(let request): read(request)
    case .tellSource(let report): tell(report)
    case .stopReading(let challenge): _ = readings.removeValue(forKey: challenge)?.abandon()
    case .coalesced: counters.challengesCoalesced += 1
    case .warn(let task, let weaker):
      counters.challengesDowngraded += 1
      if weaker.isNews, let task = find(task) { environment.warn(of: weaker, met: task, in: self) }
    case .warnOfExchanges(let task):
      if let task = find(task) { environment.warn(ofExchangesOf: task, in: self) }
    case .warnOfPin(let origin):
      counters.pinsReported += 1
      environment.warn(ofPinFrom: origin, in: self)
    case .record(var entry):
      entry.session = name
      environment.record(entry, of: uid)
    case .closeConnections(because: let reason): closeConnections(because: reason)
    case .useRoots(let roots): for engine in engines.all { engine.replaceUserRoots(with: roots.pem) }
    case .forgetTickets(let account): negotiator.forget(account: account)
    case .forgetAllTickets: negotiator.forgetAllAccounts()
    case .releaseKeys(let identities): keys.release(identities)
    case .releaseLentKeys: releaseLentKeys()
    case .keep(let task, let credential, let key, let ways, let generation):
      keep(credential, for: key, over: ways, generation: generation, triedBy: task)
    }
  }

  private func closeConnections(because reason: SessionEffect.Closing) {
    switch reason {
    case .somethingIsNew: for engine in engines.all { engine.closeIdleConnections() }
    case .somethingIsGone: for engine in engines.all { engine.closeIdleConnections(startingAgain: true) }
    case .partitionIsOver(let partition): for engine in engines.all { engine.close(partition) }
    case .groundIsOver(let ground): for engine in engines.all { engine.close(ground) }
    }
  }
}

/// What makes the session forget, while it goes on.
extension SessionDriver {
  /// Forgets cookies, credentials and trust; tasks go on. What is permanent is not the session's to forget.
  func reset() {
    // What begins again because of the reset carries none of them.
    forgetFetches()
    feed { $0.reset() }
  }

  /// What servers have left here, and what was fetched last: a URL may hold a token.
  private func forgetFetches() {
    for jar in [engine.cookies] + earlierCookies { _ = jar.remove(domain: nil, name: nil) }
    authorities = KnownAuthorities()
  }
}

/// What the session keeps of its user's memory, beside its configuration and its connections.
extension SessionDriver {
  /// Whether the uid may have so much more kept.
  func hasRoom(for bytes: Int) -> Bool { bytes <= 0 || environment.budget.hasRoom(for: bytes, of: uid) }

  /// Counts what events have added and taken away.
  func countKept() {
    guard !hasEnded else { return }
    keptCharge.follow(
      state.heldBytes + engine.cookies.heldBytes + earlierCookies.reduce(0) { $0 + $1.heldBytes })
  }
}

/// Permanent credentials: the session's state decides, the account's vault keeps.
extension SessionDriver {
  /// Writes a credential that a server has accepted; the task that tried it ends after that.
  func keep(
    _ credential: Credential, for key: CredentialKey, over ways: [CallersWay], generation: UInt64,
    triedBy task: TaskIdentifier
  ) {
    guard let account else {
      return feed { $0.kept(key, generation: generation, as: nil, by: task) }
    }
    account.submit(.store(credential, for: [key.space], isDefault: true, over: ways)) { [weak self] result in
      guard let self, !isOver else { return }
      let number: UInt64? =
        switch result {
        case .success: account.credentials.entry(key)?.generation
        case .failure: nil
        }
      feed { $0.kept(key, generation: generation, as: number, by: task) }
    }
  }
}

/// The administrator's sources of credentials.
extension SessionDriver {
  /// Reads a source for the state.
  func read(_ request: SourceRequest) {
    var isRead = false
    let ticket = environment.sources.read(request) { [weak self] code in
      guard let self, !isOver else { return }
      feed { $0.sourcePrompts(request, code) }
    } then: { [weak self] result in
      isRead = true
      guard let self, !isOver else { return }
      if case .challenge(let identifier) = request.purpose { readings[identifier] = nil }
      if case .failure(let fault) = result, fault != .promptNeeded || request.purpose != .renewal {
        environment.warn(of: fault, ofSource: request.name, for: request.space.origin, in: self)
      }
      feed { $0.sourceRead(request, result) }
    }
    if case .challenge(let identifier) = request.purpose, let ticket, !isRead {
      readings[identifier] = ticket
    }
  }

  func tell(_ report: SourceReport) {
    environment.sources.tell(report) { [weak self] fault in
      guard let self else { return }
      environment.warn(of: fault, ofSource: report.source, for: report.origin, in: self)
    }
  }
}

/// What is shown of the sources whose secrets servers have refused.
extension SessionDriver {
  /// - Parameter isConcerned: of which spaces.
  func refusedSources(
    where isConcerned: (ProtectionSpace) -> Bool = { _ in true }
  ) -> [Sent.RefusedSource] {
    catchUp()
    return state.refusedSources(now: EventLoop.shared.now).filter { isConcerned($0.space) }.map {
      Sent.RefusedSource($0, wallClock: Clock.wallSeconds())
    }
  }
}
