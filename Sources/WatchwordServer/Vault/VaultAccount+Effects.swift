internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordTransport
internal import WatchwordVault
internal import WatchwordVocabulary

/// What ``VaultLifecycle`` asks for, carried out.
extension VaultAccount {
  /// Feeds an event, and carries out what follows.
  func feed(
    _ event: (inout VaultLifecycle, VaultLifecycle.Surroundings) -> [VaultLifecycle.Effect]
  ) {
    perform(event(&lifecycle, surroundings))
  }

  var surroundings: VaultLifecycle.Surroundings {
    VaultLifecycle.Surroundings(
      now: EventLoop.shared.now, isQueueEmpty: queue.isEmpty, mustBeWritten: queue.mustBeWritten,
      needsPassphrase: file?.vault.openers == [.passphrase])
  }

  func perform(_ effects: [VaultLifecycle.Effect]) {
    for effect in effects { perform(effect) }
  }

  private func perform(_ effect: VaultLifecycle.Effect) {
    switch effect {
    case .open(let isMade): look(isMade: isMade)
    case .hold(let keepsFile): hold(found.take(), keepsFile: keepsFile)
    case .drop: hold(nil)
    case .schedule: EventLoop.shared.atEndOfTurn { [self] in feed { $0.turnEnded($1) } }
    case .write: write()
    case .fail(let fault): answer(queue.failAll(fault))
    case .lookAgain: feed { $0.lookAgain($1) }
    case .follow: environment.whenFollowed(by: uid) { [self] in feed { $0.sessionsFollowed($1) } }
    case .wipe:
      leaveFile(freeing: takeContents()) { [self] in feed { (lifecycle, _) in lifecycle.wiped() } }
    case .takeLater: queue.takeLater()
    case .leave: leaveFile { [self] in feed { $0.left($1) } }
    case .abandon: leaveFile {}
    case .retry(let seconds):
      _ = EventLoop.shared.schedule(after: seconds) { [weak self] in self?.feed { $0.retried($1) } }
    case .answer(let waiter, let fault):
      for then in waiters.removeValue(forKey: waiter) ?? [] { then(fault) }
    case .report(let fault): environment.note(isLocked ? .locked(path ?? "") : .unavailable(fault.text))
    case .note: environment.vaultChanged(of: uid)
    }
  }

  private func look(isMade: Bool) {
    guard let place else { return }
    let passphrase = passphrase.take()
    worker.submit { [uid, clocks] in
      VaultFile.open(place, of: uid, isMade: isMade, passphrase: passphrase, clocks)
    } then: { [self] outcome in
      feed(outcome) { $0.opened($1, isMade: isMade, mayWait: passphrase == nil, $2) }
    }
  }

  /// Feeds what a look has come to. What it has found is held, or goes.
  func feed(
    _ outcome: VaultFile.OpeningResult,
    _ event: (inout VaultLifecycle, VaultLifecycle.Opening, VaultLifecycle.Surroundings) ->
      [VaultLifecycle.Effect]
  ) {
    if case .success(let opened) = outcome { found = opened }
    feed { event(&$0, VaultLifecycle.Opening(outcome), $1) }
    found = nil
  }

  private func hold(_ opened: VaultFile.Opened?, keepsFile: Bool) {
    if keepsFile { file = opened?.file }
    hold(opened?.contents)
    guard let opened else { return }
    environment.permanentContentsRead(of: uid)
    let path = opened.file.vault.path
    if opened.isNew { environment.note(.made(path, refusal: opened.file.vault.refusal?.text)) }
    if opened.contents.unreadable > 0 { environment.note(.unreadable(opened.contents.unreadable, path)) }
  }

  /// Takes what a vault has into memory; nil: nothing.
  private func hold(_ contents: VaultContents?) {
    holdings = contents.map { VaultHoldings($0) } ?? VaultHoldings()
    identityKeys = contents?.keys ?? [:]
    unreadable = contents?.unreadable ?? 0
    charge.follow(holdings.heldBytes)
  }

  /// What was in memory: thousands of secrets, which a thread frees.
  private struct Wiped: Sendable {
    let holdings: VaultHoldings
    let keys: [String: ClientIdentity]
  }

  private func takeContents() -> Wiped {
    let wiped = Wiped(holdings: holdings, keys: identityKeys)
    hold(nil)
    return wiped
  }

  /// Closing writes to the disk, too. The lock of the directory ends after that.
  private func leaveFile(freeing wiped: consuming Wiped? = nil, then: @escaping @ReactorActor () -> Void) {
    // Their last references end on the thread: whatever follows finds the directory unlocked, and nothing in
    // memory.
    let last = Locked<(file: VaultFile?, wiped: Wiped?)>((file.take(), wiped))
    worker.submit {
      last.withLock { last in
        last.file?.vault.close()
        last = (nil, nil)
      }
    } then: {
      then()
    }
  }
}
