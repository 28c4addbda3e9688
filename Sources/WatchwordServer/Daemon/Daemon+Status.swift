internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordTransport
internal import WatchwordVocabulary

extension Daemon {
  /// Numbers only: for `session/list`.
  func summary(of session: SessionDriver) -> Sent.SessionSummary {
    session.forgetWhatIsOver()
    return Sent.SessionSummary(
      session: session.name, uid: Int(session.uid), named: session.isNamed,
      holders: session.state.board.roster.holders.lazy.filter { self.peers[$0] != nil }.count,
      tasks: session.tasks.count, credentials: session.state.memory.count,
      trust: session.state.trust.count,
      identities: session.state.identities.count, connections: session.openConnections,
      pendingChallenges: session.state.board.pendingCount, restrictions: session.state.restrictions.count,
      unusedSeconds: session.unusedSeconds)
  }

  /// With holders and configuration: for `session/describe`.
  func description(of session: SessionDriver) -> Sent.SessionDescription {
    session.forgetWhatIsOver()
    let holders = holders(of: session)
    return Sent.SessionDescription(
      session: session.name, uid: Int(session.uid), named: session.isNamed, holders: holders,
      tasks: session.tasks.count, credentials: session.state.memory.count,
      trust: session.state.trust.count,
      identities: session.state.identities.count, connections: session.openConnections,
      pendingChallenges: session.state.board.pendingCount,
      restrictions: restrictions(of: session, on: holders),
      configuration: .made(session.configuration.shownValue))
  }

  /// With holders and credentials, for people: for `status`.
  ///
  /// - Parameter showsCredentials: false for root, who sees that another connection has a private session,
  ///   and not what `credential/list` would not show.
  func status(
    of session: SessionDriver, _ credentials: [Encoded<Sent.StoredCredential>], showsCredentials: Bool
  ) -> Sent.SessionStatus {
    session.forgetWhatIsOver()
    let holders = holders(of: session)
    return Sent.SessionStatus(
      session: session.name, uid: Int(session.uid), named: session.isNamed, holders: holders,
      tasks: session.tasks.count, credentials: credentials, trust: session.state.trust.count,
      identities: session.state.identities.count, connections: session.openConnections,
      pendingChallenges: session.state.board.pendingCount, unusedSeconds: session.unusedSeconds,
      refusedSources: showsCredentials ? session.refusedSources() : [],
      restrictions: restrictions(of: session, on: holders))
  }

  private func holders(of session: SessionDriver) -> [Sent.Holder] {
    session.state.board.roster.holders.compactMap { identifier in
      guard let peer = peers[identifier] else { return nil }
      let interest = session.state.board.roster.interest(of: identifier) ?? .nothing
      return Sent.Holder(
        pid: Int(peer.process.pid ?? 0), uid: Int(peer.process.uid), executable: peer.process.executable,
        name: peer.callerName, version: peer.callerVersion, delegate: interest.sent,
        restriction: peer.restriction?.identifier.description)
    }
  }

  private func restrictions(of session: SessionDriver, on holders: [Sent.Holder]) -> [Sent.Restriction] {
    session.state.restrictions.sorted(on: \.key.number).map { identifier, restriction in
      Sent.Restriction(
        identifier, restriction,
        connections: holders.lazy.filter { $0.restriction == identifier.description }.count,
        socket: socketPath(of: identifier), now: EventLoop.shared.now)
    }
  }

  /// Every limit by name, and its current use where that is counted.
  ///
  /// - Parameter waitingTasks: of the uid; nil when the use is not needed.
  func limits(for peer: Peer, waitingTasks: Int? = nil) -> [(name: String, value: Int, used: Int?)] {
    [
      ("messageBytes", Limits.messageBytes, nil),
      // The largest message may hold one string and nothing else.
      ("stringBytes", min(JSONLimits().stringBytes, Limits.messageBytes), nil),
      ("nesting", JSONLimits().nesting, nil),
      ("elements", JSONLimits().elements, nil),
      ("descriptorsPerMessage", Message.maximumDescriptors, nil),
      ("batch", Message.maximumBatch, nil),
      ("requestsPerConnection", Limits.requestsPerConnection, peer.callsInHand),
      (
        "connectionsPerUid", Limits.connectionsPerUID,
        peers.values.lazy.filter { $0.process.uid == peer.process.uid }.count
      ),
      ("connections", Limits.connections, peers.count),
      ("restrictedListenersPerUid", Limits.restrictedListenersPerUID, listeners(of: peer.process.uid)),
      ("restrictedListeners", Limits.restrictedListeners, listenerCount),
      ("connectionsPerListener", Limits.connectionsPerListener, nil),
      ("tasksPerRestriction", Limits.tasksPerRestriction, nil),
      ("waitingTasks", Limits.waitingTasks, waitingTasks),
      ("tasks", Limits.tasks, tasks.count),
      ("sessionsPerUid", Limits.sessionsPerUID, registry.count(of: peer.process.uid)),
      ("bytesPerUid", Limits.bytesPerUID, budget.used(by: peer.process.uid)),
      ("reservedBytesPerUid", Limits.reservedBytesPerUID, reserve.used(by: peer.process.uid)),
      (
        "statusSubscribersPerUid", Limits.statusSubscribersPerUID, subscriptions.count(of: peer.process.uid)
      ),
      (
        "historyPerUid", CredentialHistory.capacity, histories.count(of: peer.process.uid)
      ),
      ("credentialsPerSession", SessionMemory.capacity, nil),
      ("cookiesPerOrigin", CookieLimits.perOrigin, nil),
      ("cookiesPerSession", CookieLimits.perSession, nil),
      ("cookieBytesPerSession", CookieLimits.bytesPerSession, nil),
      ("cookiesPerResponse", CookieLimits.perResponse, nil),
      ("setCookieBytes", CookieLimits.setCookieBytes, nil),
      ("cookieFieldBytes", CookieLimits.fieldBytes, nil),
      ("trustPerSession", TrustStore.capacity, nil),
      (
        "permanentTrustPerUid", PermanentTrust.capacity,
        vaults.account(of: peer.process.uid).trust.count
      ),
      ("rootsPerUid", UserRoots.capacity, roots.roots(of: peer.process.uid).all.count),
      (
        "permanentCredentialsPerUid", PermanentCredentials.capacity,
        vaults.account(of: peer.process.uid).credentials.count
      ),
      (
        "permanentIdentitiesPerUid", PermanentIdentities.capacity,
        vaults.account(of: peer.process.uid).identities.count
      ),
      ("identitiesPerSession", IdentityStore.capacity, nil),
      ("identitiesInReading", Limits.identitiesInReading, peer.identitiesInReading),
      (
        "tokenProcessesPerUid", TokenHost.maximumProcessesPerUID, tokens.count(of: peer.process.uid)
      ),
      ("tokenProcesses", TokenHost.maximumProcesses, tokens.count),
      ("waitersListed", Sent.Challenge.maximumWaiters, nil),
      ("descriptors", ProcessDescriptors.limit, ProcessDescriptors.inUse),
      ("unclaimedDescriptors", Limits.unclaimedDescriptors, nil),
      ("outgoingHighWaterBytes", Limits.outgoingHighWater, nil),
      ("outgoingBytes", Limits.outgoingBytes, nil),
      ("slowReaderSeconds", Int(Limits.slowReaderSeconds), nil),
      ("keptResults", Limits.keptResults, results.count),
      ("keptResultSeconds", Int(Limits.keptResultSeconds), nil),
      ("gracefulStopSeconds", Int(Limits.gracefulStopSeconds), nil),
    ]
  }
}

extension DelegateInterest {
  fileprivate var sent: Sent.HolderDelegate {
    Sent.HolderDelegate(
      tasks: tasks.names, session: session.names,
      trustVerdicts: trustVerdicts == .all ? nil : trustVerdicts.rawValue)
  }
}

extension DelegateInterest.Methods {
  fileprivate var names: [String] {
    switch self {
    case .all: ["*"]
    case .only(let methods): methods.map(\.rawValue).sorted()
    }
  }
}
