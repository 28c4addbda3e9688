internal import WatchwordCore
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordVault
internal import WatchwordVocabulary

/// The requests of the fleet's store, and what the vaults do with the results.
extension Synchronizer {
  func authenticate(_ material: FleetMaterial) {
    guard let user = settings.user, let password = material.password else { return fail(.fileUnusable) }
    send(.authenticate(user: user.name, password: password), read: { $0.token }) { [self] result in
      switch result {
      case .success(let token?):
        self.token = token
        feed { $0.authenticated() }
      case .success(nil): fail(.malformed)
      case .failure(let failure): fail(failure.fault)
      }
    }
  }

  // MARK: Reading

  private struct Page: Sendable {
    let opened: FleetReader.Opened
    let revision: Int64
    let last: [UInt8]?
    let hasMore: Bool
  }

  func read(_ uid: UInt32, isFirst: Bool, records: Int) {
    guard let place = place(of: uid) else { return }
    let account = environment.vaults.account(of: uid)
    if isFirst {
      account.credentials.readingBegins()
      readings[uid] = Reading()
    }
    guard let reading = readings[uid] else { return }
    let range = EtcdRequest.Range(prefix: place.prefix, after: reading.last)
    send(
      .read(range, limit: records, revision: reading.revision),
      read: { [clocks = account.clocks] reply in
        Page(
          opened: place.open(reply.records, clocks), revision: reply.revision,
          last: reply.records.last?.name, hasMore: reply.hasMore && !reply.records.isEmpty)
      }
    ) { [self] result in
      switch result {
      case .success(let page): adopt(page, of: uid)
      case .failure(.tooLarge): feed { $0.pageTooLarge(uid, random: .random(in: 0...1)) }
      case .failure(.refusal(.compacted)): feed { $0.lostHistory() }
      case .failure(let failure): fail(failure.fault)
      }
    }
  }

  private func adopt(_ page: Page, of uid: UInt32) {
    guard var reading = readings[uid] else { return }
    let revision = reading.revision ?? page.revision
    reading.revision = revision
    reading.last = page.last ?? reading.last
    reading.names.formUnion(page.opened.names)
    reading.foreign += page.opened.foreign
    readings[uid] = reading
    guard reading.names.count + reading.foreign <= Synchronizer.maximumRecords else { return fail(.tooMany) }
    adopt(page.opened.states, of: uid) { [self] in
      feed { $0.pageRead(uid, revision: revision, hasMore: page.hasMore) }
    }
  }

  /// - Parameter then: called when the vault has them; not at all if it could not be written.
  func adopt(_ states: [FleetCredential], of uid: UInt32, then: @escaping @ReactorActor () -> Void) {
    let account = environment.vaults.account(of: uid)
    guard !states.isEmpty else { return then() }
    // A host that has no vault yet gets one for what the fleet has; removals need none.
    if !account.isOpen, states.allSatisfy(\.isOfNoUse) { return then() }
    account.prepare { [weak self, epoch] result in
      guard let self, self.epoch == epoch else { return }
      if case .failure = result { return suspend(uid) }
      account.submit(.adopt(states)) { [weak self] result in
        guard let self, self.epoch == epoch else { return }
        switch result {
        case .success(let alteration):
          environment.counters.synchronizationTaken += alteration.changes.count
          then()
        case .failure: suspend(uid)
        }
      }
    }
  }

  private func suspend(_ uid: UInt32) {
    feed { $0.suspend(uid, .vaultUnwritable, random: .random(in: 0...1)) }
  }

  func finishReading(_ uid: UInt32) {
    guard let reading = readings.removeValue(forKey: uid), let place = place(of: uid) else { return }
    noteForeign(reading.foreign)
    let account = environment.vaults.account(of: uid)
    let finish: @ReactorActor () -> Void = { [weak self] in
      self?.feed { $0.finishedReading(uid, hasPending: account.credentials.fleet.hasPending) }
    }
    guard account.isOpen else { return finish() }
    let present = account.credentials.synchronizable.filter { entry in
      FleetRecord.name(of: entry, under: place.keys).map(reading.names.contains) ?? true
    }
    let keys = Set(present.map(\.key))
    account.submit(.noteMissing(except: keys)) { [weak self, epoch] result in
      guard let self, self.epoch == epoch else { return }
      switch result {
      case .success: finish()
      case .failure: suspend(uid)
      }
    }
  }

  func probe(_ uid: UInt32, from revision: Int64) {
    guard let place = place(of: uid) else { return }
    send(
      .probe(EtcdRequest.Range(prefix: place.prefix), from: revision),
      within: BoundedExchange.etcdProbeSeconds,
      read: { (missed: $0.records.first?.revision, revision: $0.revision) }
    ) { [self] result in
      switch result {
      case .success(let found):
        feed { $0.probed(uid, missed: found.missed, revision: found.revision) }
      case .failure(.refusal(.compacted)): feed { $0.lostHistory() }
      case .failure(let failure): fail(failure.fault)
      }
    }
  }

  // MARK: Writing

  func write(_ uid: UInt32, _ attempt: SynchronizationStateMachine.WriteAttempt) {
    let account = environment.vaults.account(of: uid)
    guard let outgoing = account.credentials.outgoing, let place = place(of: uid) else {
      return wrote(uid)
    }
    guard let (name, value) = FleetRecord.sealed(outgoing, under: place.keys, account.clocks) else {
      return hold(outgoing, of: uid, because: .tooLarge)
    }
    guard let seconds = outgoing.leaseSeconds(account.clocks) else {
      return write(outgoing, named: name, value, lease: nil, of: uid, attempt)
    }
    send(.grant(seconds: seconds), to: attempt.endpoint, within: attempt.seconds, read: { $0.lease }) {
      [self] result in
      switch result {
      case .success(let lease?): write(outgoing, named: name, value, lease: lease, of: uid, attempt)
      case .success(nil): writeFailed(uid, .malformed)
      case .failure(.refusal(.request)): hold(outgoing, of: uid, because: .refused)
      case .failure(let failure): writeFailed(uid, failure.fault)
      }
    }
  }

  private func write(
    _ outgoing: OutgoingCredential, named name: String, _ value: [UInt8], lease: Int64?, of uid: UInt32,
    _ attempt: SynchronizationStateMachine.WriteAttempt
  ) {
    guard let place = place(of: uid) else { return }
    let account = environment.vaults.account(of: uid)
    account.credentials.noteSent(outgoing)
    send(
      .change(place.prefix + name, to: value, lease: lease, ifAt: outgoing.revision),
      to: attempt.endpoint, within: attempt.seconds,
      read: { [clocks = account.clocks] reply in
        (
          isWritten: reply.hasSucceeded, revision: reply.revision,
          found: reply.records.first.map { outgoing.found($0, place.open([$0], clocks)) }
        )
      }
    ) { [self] result in
      switch result {
      case .success((true, let revision, _)): acknowledge(outgoing, revision, of: uid)
      case .success((false, _, .newer?)): hold(outgoing, of: uid, because: .refused)
      case .success((false, _, let found)):
        environment.counters.synchronizationConflicts += 1
        let states: FleetCredential =
          if case .state(let state)? = found { state } else { outgoing.absent(revision: 0) }
        adopt([states], of: uid) { [self] in wrote(uid) }
      case .failure(.refusal(.request)): hold(outgoing, of: uid, because: .refused)
      case .failure(let failure): writeFailed(uid, failure.fault)
      }
    }
  }

  private func writeFailed(_ uid: UInt32, _ fault: SynchronizationFault) {
    environment.counters.synchronizationFaults += 1
    feed { $0.writeFailed(uid, fault, random: .random(in: 0...1)) }
  }

  private func acknowledge(_ outgoing: OutgoingCredential, _ revision: Int64, of uid: UInt32) {
    let account = environment.vaults.account(of: uid)
    environment.counters.synchronizationWritten += 1
    guard account.isOpen else { return wrote(uid) }
    account.submit(.acknowledge(outgoing, revision: revision)) { [weak self, epoch] result in
      guard let self, self.epoch == epoch else { return }
      switch result {
      case .success: wrote(uid)
      case .failure: suspend(uid)
      }
    }
  }

  /// The store does not take it as it is.
  private func hold(_ outgoing: OutgoingCredential, of uid: UInt32, because fault: SynchronizationFault) {
    environment.vaults.account(of: uid).credentials.hold(outgoing)
    note(fault)
    wrote(uid)
  }

  private func wrote(_ uid: UInt32) {
    let hasPending = environment.vaults.account(of: uid).credentials.fleet.hasPending
    feed { $0.wrote(uid, hasPending: hasPending) }
  }
}

extension EtcdFailure {
  var fault: SynchronizationFault {
    switch self {
    case .refusal(.fault(let fault)): fault
    case .refusal(.compacted): .unavailable
    case .refusal(.request): .refused
    case .tooLarge: .tooLarge
    }
  }
}

extension FleetCredential {
  /// Whether it tells nothing to a host that has no vault.
  fileprivate var isOfNoUse: Bool {
    if case .credential = content { false } else { true }
  }
}

extension OutgoingCredential {
  /// What a transaction has found in place of the expected record.
  fileprivate enum Found: Sendable {
    case state(FleetCredential)
    case newer
  }

  fileprivate func found(_ record: EtcdReply.Record, _ opened: FleetReader.Opened) -> Found {
    if let state = opened.states.first { return .state(state) }
    // What no host of the fleet has written is written over.
    return opened.foreign > 0 ? .state(absent(revision: record.revision)) : .newer
  }

  fileprivate func absent(revision: Int64) -> FleetCredential {
    FleetCredential(
      key: entry.key, version: 0,
      revision: revision, .absent)
  }

  /// How long the store keeps it; nil: until it is changed.
  fileprivate func leaseSeconds(_ clocks: CredentialRecord.Clocks) -> Int64? {
    if isRemoval { return Synchronizer.removalSeconds }
    guard let end = entry.record.fixedEnd(now: clocks.now, wallClock: clocks.wallClock) else { return nil }
    // Leases are counted in seconds; a time that is not finite, or too far away, is as good as none.
    let seconds = (end - clocks.now).rounded(.up)
    return seconds < 1e9 ? Int64(max(1, seconds)) : nil
  }
}
