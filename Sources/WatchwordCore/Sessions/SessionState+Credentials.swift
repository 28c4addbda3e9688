package import WatchwordVocabulary

/// The session's credentials, as `credential/*` manages them.
extension SessionState {
  package mutating func store(
    _ credential: Credential, for spaces: [ProtectionSpace], isDefault: Bool, owner: ProcessIdentifier?
  ) -> [SessionEffect] {
    for space in spaces {
      memory.store(
        credential, for: space, isDefault: isDefault,
        over: memory.ways.waysOfTask(to: space.origin, by: route(to: space), for: nil), owner: owner,
        now: moment.now)
      board.sources.note(credential, in: space, owner: owner, wallClock: moment.wallClock)
    }
    announceCredentialChanges()
    takeBackLogins(at: spaces)
    stopUnboundReadings()
    return takeEffects()
  }

  /// - Parameter user: nil for any user.
  /// - Returns: How many were removed.
  package mutating func removeCredentials(
    for spaces: [ProtectionSpace], user: String?, _ path: NamedPath = .any
  ) -> (Int, [SessionEffect]) {
    let removed = spaces.reduce(0) { $0 + memory.remove(space: $1, user: user, path) }
    for space in spaces { board.sources.remove(named: space) }
    announceCredentialChanges()
    if removed > 0 { takeBackLogins(at: spaces) }
    // Tunnels were opened with it.
    if removed > 0, spaces.contains(where: \.isProxy) {
      effects.append(.closeConnections(because: .somethingIsGone))
    }
    stopUnboundReadings()
    return (removed, takeEffects())
  }

  /// What a SOCKS proxy is sent is part of the request, also while that waits for a connection: it is
  /// prepared again (methods.md 8.1).
  mutating func takeBackLogins(at spaces: [ProtectionSpace]) {
    let proxies = Set(spaces.filter { $0.proxyType?.isSOCKS == true }.map(\.origin))
    if !proxies.isEmpty { takeBackLogins { proxies.contains($0) } }
  }

  /// - Parameter isConcerned: whether the proxy's credentials have changed.
  mutating func takeBackLogins(where isConcerned: (Origin) -> Bool = { _ in true }) {
    for task in tasks.values {
      guard let proxy = task.machine.proxyOfLogin, isConcerned(proxy.origin) else { continue }
      effects.append(.task(task.identifier, .takeBack))
    }
  }

  /// - Returns: Whether the user has a credential in one of the spaces; it is the default one now.
  package mutating func setDefault(user: String, in spaces: [ProtectionSpace]) -> Bool {
    !spaces.filter { memory.setDefault(user: user, in: $0) }.isEmpty
  }

  /// What this origin and the proxy that leads to it have refused may be sent once more, if it comes from
  /// outside the session: an account was unlocked.
  ///
  /// - Returns: How many they are.
  package mutating func retryRefused(at origin: Origin, through proxies: TaskRequest.Proxies) -> Int {
    let proxy = rules(of: proxies)?.choice(for: origin)?.proxy?.origin
    func isConcerned(_ space: ProtectionSpace) -> Bool { space.origin == (space.isProxy ? proxy : origin) }
    return board.sources.retry(where: isConcerned) + memory.netrc.forgetRefusals(where: isConcerned)
      + memory.refusedUserinfo.forget(where: isConcerned)
  }

  /// Limits are checked on listing as well as on use.
  package mutating func forgetExpiredCredentials() -> [SessionEffect] {
    memory.removeExpired(now: moment.now, wallClock: moment.wallClock)
    announceCredentialChanges()
    return takeEffects()
  }

  mutating func announceCredentialChanges() {
    guard !memory.changes.isEmpty else { return }
    let changes = memory.takeChanges()
    for (key, _) in changes where key.space.authenticationMethod.isConnectionBound {
      endConnections(of: key.space)
    }
    announce(changes)
  }

  mutating func announce(_ changes: [(key: CredentialKey, change: CredentialChange)]) {
    let peers = board.roster.entitled
    if changes.count > SessionMemory.changesTold {
      effects.append(.announceMany(changes.count, to: peers))
    } else {
      for (key, change) in changes { effects.append(.announce(key, change, to: peers)) }
    }
  }
}
