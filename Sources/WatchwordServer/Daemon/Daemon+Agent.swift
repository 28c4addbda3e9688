internal import Glibc
internal import Logging
internal import WatchwordCore
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordVault
internal import WatchwordVocabulary

/// `agent/*` and SIGUSR1.
extension Daemon {
  /// Clears the memory of a uid, or of all; the vaults stay (storage.md 9.8). Returns when nothing decrypted
  /// is left.
  ///
  /// - Parameter process: that asked; nil: the signal did.
  func forget(_ uid: UInt32?, for process: ProcessIdentifier?) async {
    let sessions = registry.holders(of: uid)
    for session in sessions { session.owe(.forget) }
    for uid in uid.map({ [$0] }) ?? Set(sessions.map(\.uid)).sorted() {
      record(.forgotten, of: uid, for: process)
    }
    // Their tokens are the administrator's.
    if uid == nil || uid == getuid() { sources.forget() }
    await wipe(sessions, uid)
  }

  /// The sessions do what is due in steps, because there may be thousands, while the vaults are left.
  private func wipe(_ sessions: [SessionDriver], _ uid: UInt32?) async {
    let parts: [@ReactorActor () async -> Void] = [
      { await self.settle(sessions) }, { await self.vaults.forget(uid) },
    ]
    await joinAll(parts) { await $0() }
    noteChange()
  }

  private func settle(_ sessions: [SessionDriver]) async {
    await joinAll(Dictionary(grouping: sessions, by: \.uid)) { uid, sessions in
      await completion { end in
        let taker = EventLoop.shared.taker(of: uid)
        SessionDriver.carryOutWhatIsDue(in: sessions, inTurnsOf: taker, then: end)
      }
    }
  }

  func isLocked(_ uid: UInt32) -> Bool { locks.isLocked(uid) }

  /// Locks the agent of a uid. Returns when nothing decrypted is left.
  func lock(_ uid: UInt32, _ passphrase: Secret, for process: ProcessIdentifier?) async throws(RPCError) {
    do throws(AgentLocks.AccountLockFault) {
      try await locks.lock(uid, passphrase)
    } catch {
      throw RPCError(error)
    }
    await locked(uid, for: process)
  }

  private func locked(_ uid: UInt32, for process: ProcessIdentifier?) async {
    let sessions = registry.holders(of: uid)
    for session in sessions { session.owe(.lock) }
    record(.locked, of: uid, for: process)
    if uid == getuid() { sources.forget() }
    vaults.account(of: uid).isUnderLock = true
    // A timer that was set before would end the lock together with the daemon.
    restIfUnused()
    await wipe(sessions, uid)
  }

  /// The agent of a uid is used: its idle time begins again.
  func noteUse(of uid: UInt32) {
    guard let seconds = settings.agent.idleLockSeconds, locks.noteUse(of: uid) else { return }
    lookAfterIdleTime(of: uid, in: seconds)
  }

  private func lookAfterIdleTime(of uid: UInt32, in seconds: Double) {
    _ = EventLoop.shared.schedule(after: seconds) { [weak self] in self?.lookAfterIdleTime(of: uid) }
  }

  private func lookAfterIdleTime(of uid: UInt32) {
    // The administrator may have turned it off.
    guard let seconds = settings.agent.idleLockSeconds else { return locks.endIdleTime(of: uid) }
    let isRunning = tasks.values.contains {
      $0.session.uid == uid && $0.state == .running && $0.known.restriction == nil
    }
    switch locks.idleOutcome(of: uid, after: seconds, isRunning: isRunning) {
    case .wait(let left): lookAfterIdleTime(of: uid, in: left)
    case .lock: if locks.lockAgain(uid) { EventLoop.shared.begin { [self] in await locked(uid, for: nil) } }
    case .forget: EventLoop.shared.begin { [self] in await forget(uid, for: nil) }
    case .nothing: break
    }
  }

  /// Locks every agent, or clears its memory, before the machine goes to sleep (storage.md 9.11.14). Returns
  /// when nothing decrypted is left.
  func lockForSleep() async {
    logger.notice("locking before sleep")
    let accounts = Set(registry.unordered.map(\.uid)).union(vaults.knownAccounts).union([getuid()]).sorted()
    await joinAll(accounts) { [self] uid in await endBeforeSleep(uid) }
  }

  private func endBeforeSleep(_ uid: UInt32) async {
    switch locks.ending(of: uid) {
    case .lock where locks.lockAgain(uid): await locked(uid, for: nil)
    // One that is being locked, too: the key of its passphrase is made while memory is cleared.
    case .lock, .forget: await forget(uid, for: nil)
    // What is left of the wiping is waited for.
    case .nothing, .wait: await vaults.forget(uid)
    }
  }

  /// Unlocks the agent of a uid. A vault with a key file is read again before the tasks go on.
  ///
  /// - Parameters:
  ///   - challenge: the session whose challenge was answered.
  ///   - acknowledge: called before the tasks go on.
  func unlock(
    _ uid: UInt32, _ passphrase: Secret, for process: ProcessIdentifier?,
    inReplyTo challenge: SessionDriver? = nil,
    acknowledge: @escaping @ReactorActor () -> Void
  ) async throws(RPCError) {
    do throws(AgentLocks.AccountLockFault) {
      try await locks.unlock(uid, passphrase)
    } catch {
      if case .wrongPassphrase = error { record(.unlockRefused, of: uid, for: process) }
      throw RPCError(error)
    }
    record(.unlocked, of: uid, for: process)
    vaults.account(of: uid).isUnderLock = false
    let sessions: [SessionDriver]? = await completion { end in
      // At once: requests that wait for the vault as well find the sessions unlocked.
      vaults.account(of: uid).read { [self] in
        acknowledge()
        // It was locked again while the vault was read: the sessions still are.
        guard !isLocked(uid) else { return end(nil) }
        let sessions = registry.holders(of: uid)
        for session in sessions { session.owe(.unlock(isByReply: session === challenge)) }
        end(sessions)
      }
    }
    guard let sessions else { return }
    await settle(sessions)
    noteChange()
    restIfUnused()
  }

  private func record(_ outcome: HistoryEntry.Outcome, of uid: UInt32, for process: ProcessIdentifier?) {
    var entry = HistoryEntry(outcome, at: Clock.wallSeconds())
    entry.process = process
    record(entry, of: uid)
  }
}

extension RPCError {
  fileprivate init(_ fault: AgentLocks.AccountLockFault) {
    switch fault {
    case .lock(let fault): self.init(fault)
    case .wrongPassphrase: self.init(VaultFault.wrongPassphrase)
    case .noMemory: self = .internalError("no memory for the key of a passphrase")
    }
  }
}
