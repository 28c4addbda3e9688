internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordTransport
internal import WatchwordVocabulary

extension Daemon {
  /// - Parameter showsCredentials: false for root, who sees that another connection has a private session, and not what
  ///   `credential/list` would not show.
  func describe(_ session: Session, showsCredentials: Bool = true) -> SessionDescription {
    session.forgetWhatIsOver()
    let now = EventLoop.shared.now
    let holders = session.state.board.roster.holders.compactMap { identifier -> HolderDescription? in
      guard let peer = peers[identifier] else { return nil }
      return HolderDescription(
        pid: peer.process.pid ?? 0, uid: peer.process.uid, executable: peer.process.executable,
        callerName: peer.callerName, callerVersion: peer.callerVersion,
        interest: session.state.board.roster.interest(of: identifier) ?? .nothing,
        restriction: peer.restriction?.identifier)
    }
    return SessionDescription(
      session: session.name, uid: session.uid, isNamed: session.isNamed, holders: holders,
      tasks: session.tasks.count,
      credentials: session.state.credentials.count, trust: session.state.trust.count,
      identities: session.state.identities.count,
      connections: session.openConnections,
      pendingChallenges: session.state.board.pendingCount,
      refusedSources: showsCredentials ? session.refusedSources() : [],
      restrictions: session.state.restrictions.sorted { $0.key.number < $1.key.number }.map {
        identifier, restriction in
        RestrictionDescription(
          identifier, restriction,
          connections: holders.lazy.filter { $0.restriction == identifier }.count,
          socket: socketPath(of: identifier), now: now)
      },
      configuration: session.configuration, unusedSeconds: session.unusedSeconds)
  }

  /// Every limit by name, and its current use where that is counted.
  ///
  /// - Parameter waitingTasks: of all sessions; nil when the use is not needed.
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
      ("credentialsPerSession", CredentialCache.capacity, nil),
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
      ("waitersListed", ChallengeDescription.maximumWaiters, nil),
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
