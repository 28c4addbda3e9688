package import WatchwordVocabulary

/// The account's permanent credentials, as a session uses them (storage.md 9.6).
extension SessionState {
  /// Lends the account's credentials and identities to the session for one event; false when there are none
  /// to lend.
  package mutating func lend(_ holdings: inout VaultHoldings) -> Bool {
    if holdings.credentials.count == 0 && holdings.identities.count == 0 { return false }
    memory.ways.policy = moment.policy
    swapHoldings(&holdings)
    return true
  }

  /// Gives back what was lent, after the event.
  package mutating func giveBack(_ holdings: inout VaultHoldings) { swapHoldings(&holdings) }

  private mutating func swapHoldings(_ holdings: inout VaultHoldings) {
    swap(&memory.permanent, &holdings.credentials)
    swap(&identities.permanent, &holdings.identities)
  }

  /// The credential that a task tried is a record of this number; nil: it could not be written. The task ends
  /// now.
  package mutating func kept(
    _ key: CredentialKey, generation: UInt64, as number: UInt64?, by identifier: TaskIdentifier
  ) -> [SessionEffect] {
    memory.link(key, generation: generation, to: number)
    if let task = tasks[identifier] {
      task.keeping -= 1
      if task.keeping == 0, let failure = task.heldOutcome.take() {
        effects.append(.task(identifier, .finish(failure)))
      }
    }
    return takeEffects()
  }

  /// The account's credentials have changed: copies follow, and the holders are told.
  package mutating func permanentChanged(_ alteration: PermanentCredentials.Alteration) -> [SessionEffect] {
    let changes = memory.follow(alteration)
    takeBackLogins(at: changes.filter { $0.change != .added }.map(\.key.space))
    for (key, change) in changes where change != .added && key.space.authenticationMethod.isConnectionBound {
      endConnections(of: key.space)
    }
    // Tunnels were opened with it.
    if changes.contains(where: { $0.change != .added && $0.key.space.isProxy }) {
      effects.append(.closeConnections(because: .somethingIsGone))
    }
    announce(changes)
    return takeEffects()
  }

  /// The task waits for the disk before it ends: after that, the credential survives a crash.
  mutating func keep(_ credential: Credential, storedAt key: CredentialKey, by task: SessionTask) {
    guard let entry = memory.entry(key) else { return }
    task.keeping += 1
    memory.beginKeeping(generation: entry.generation)
    effects.append(
      .keep(
        task.identifier, credential, for: key, over: ways(to: key.space, by: task),
        generation: entry.generation))
  }

  /// The callers' ways to the server of a space, over which a credential is given now.
  package func callersWays(to space: ProtectionSpace) -> [CallersWay] {
    memory.ways.ways(to: space.origin, by: route(to: space), for: nil).concerning(space)
  }

  /// Those over which the session itself keeps it.
  func chosenWays(to space: ProtectionSpace, by task: SessionTask) -> [CallersWay] {
    memory.ways.waysOfTask(to: space.origin, by: route(to: space, by: task), for: task.identifier)
  }

  private func ways(to space: ProtectionSpace, by task: SessionTask) -> [CallersWay] {
    memory.ways.ways(to: space.origin, by: route(to: space, by: task), for: task.identifier)
      .concerning(space)
  }

  private func route(to space: ProtectionSpace, by task: SessionTask) -> RequestRoute {
    space.isProxy ? RequestRoute() : task.machine.route
  }

  /// That of a request for which the session alone has chosen.
  func route(to space: ProtectionSpace) -> RequestRoute {
    if space.isProxy { return RequestRoute() }
    return RequestRoute(
      proxy: proxies?.choice(for: space.origin)?.proxy,
      host: NamedHost(configuration.headers.first("host"), at: space.origin))
  }
}
