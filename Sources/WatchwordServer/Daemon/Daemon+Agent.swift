internal import Glibc
internal import Logging
internal import WatchwordCore
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordSecret
internal import WatchwordVault
internal import WatchwordVocabulary

/// `agent/*` and SIGUSR1.
extension Daemon {
  /// Clears the memory of a uid, or of all; the vaults stay (storage.md 9.8).
  ///
  /// - Parameters:
  ///   - process: that asked; nil: the signal did.
  ///   - then: called when nothing decrypted is left.
  func forget(_ uid: UInt32?, for process: ProcessIdentifier?, then: @escaping () -> Void) {
    let sessions = registry.holders(of: uid)
    for session in sessions { session.owe(.forget) }
    for uid in uid.map({ [$0] }) ?? Set(sessions.map(\.uid)).sorted() {
      record(.forgotten, of: uid, for: process)
    }
    // Their tokens are the administrator's.
    if uid == nil || uid == getuid() { sources.forget() }
    wipe(sessions, uid, then: then)
  }

  /// The sessions do what is due in steps, because there may be thousands, while the vaults are left.
  ///
  /// - Parameter then: called when nothing decrypted is left.
  private func wipe(_ sessions: [Session], _ uid: UInt32?, then: @escaping () -> Void) {
    var left = 2
    let end: @ReactorActor () -> Void = { [self] in
      left -= 1
      guard left == 0 else { return }
      noteChange()
      then()
    }
    settle(sessions, then: end)
    vaults.forget(uid, then: end)
  }

  private func settle(_ sessions: [Session], then: @escaping @ReactorActor () -> Void) {
    let accounts = Dictionary(grouping: sessions, by: \.uid)
    var left = accounts.count
    guard left > 0 else { return then() }
    for (uid, sessions) in accounts {
      Session.carryOutWhatIsDue(in: sessions, inTurnsOf: EventLoop.shared.taker(of: uid)) {
        left -= 1
        if left == 0 { then() }
      }
    }
  }

  func isLocked(_ uid: UInt32) -> Bool { locks.isLocked(uid) }

  /// Locks the agent of a uid.
  ///
  /// - Parameter then: called when it is locked and nothing decrypted is left, or with an error.
  func lock(
    _ uid: UInt32, _ passphrase: Secret, for process: ProcessIdentifier?, then: @escaping (RPCError?) -> Void
  ) throws(RPCError) {
    do throws(AgentLock.Fault) {
      try locks.lock(uid, passphrase) { [self] fault in
        if let fault { return then(RPCError(fault)) }
        locked(uid, for: process) { then(nil) }
      }
    } catch {
      throw RPCError(error)
    }
  }

  private func locked(_ uid: UInt32, for process: ProcessIdentifier?, then: @escaping () -> Void) {
    let sessions = registry.holders(of: uid)
    for session in sessions { session.owe(.lock) }
    record(.locked, of: uid, for: process)
    if uid == getuid() { sources.forget() }
    vaults.account(of: uid).isUnderLock = true
    // A timer that was set before would end the lock together with the daemon.
    restIfUnused()
    wipe(sessions, uid, then: then)
  }

  /// The agent of a uid is used: its idle time begins again.
  func noteUse(of uid: UInt32) {
    guard let seconds = idleLockSeconds, locks.noteUse(of: uid) else { return }
    lookAfterIdleTime(of: uid, in: seconds)
  }

  private func lookAfterIdleTime(of uid: UInt32, in seconds: Double) {
    _ = EventLoop.shared.schedule(after: seconds) { [weak self] in self?.lookAfterIdleTime(of: uid) }
  }

  private func lookAfterIdleTime(of uid: UInt32) {
    // The administrator may have turned it off.
    guard let seconds = idleLockSeconds else { return locks.endIdleTime(of: uid) }
    let isRunning = tasks.values.contains {
      $0.session.uid == uid && $0.state == .running && $0.known.restriction == nil
    }
    switch locks.idleOutcome(of: uid, after: seconds, isRunning: isRunning) {
    case .wait(let left): lookAfterIdleTime(of: uid, in: left)
    case .lock: if locks.lockAgain(uid) { locked(uid, for: nil) {} }
    case .forget: forget(uid, for: nil) {}
    case .nothing: break
    }
  }

  /// Locks every agent, or clears its memory, before the machine goes to sleep (storage.md 9.11.14).
  ///
  /// - Parameter then: called when nothing decrypted is left.
  func lockForSleep(then: @escaping @ReactorActor () -> Void) {
    logger.notice("locking before sleep")
    let accounts = Set(registry.unordered.map(\.uid)).union(vaults.uids).union([getuid()]).sorted()
    var left = accounts.count
    for uid in accounts {
      endBeforeSleep(uid) {
        left -= 1
        if left == 0 { then() }
      }
    }
  }

  private func endBeforeSleep(_ uid: UInt32, then: @escaping @ReactorActor () -> Void) {
    switch locks.ending(of: uid) {
    case .lock where locks.lockAgain(uid): locked(uid, for: nil, then: then)
    // One that is being locked, too: the key of its passphrase is made while memory is cleared.
    case .lock, .forget: forget(uid, for: nil, then: then)
    // What is left of the wiping is waited for.
    case .nothing, .wait: vaults.forget(uid, then: then)
    }
  }

  /// Unlocks the agent of a uid. A vault with a key file is read again before the tasks go on.
  ///
  /// - Parameters:
  ///   - challenge: the session whose challenge was answered.
  ///   - then: called before the tasks go on, or with an error.
  func unlock(
    _ uid: UInt32, _ passphrase: Secret, for process: ProcessIdentifier?, inReplyTo challenge: Session? = nil,
    then: @escaping (RPCError?) -> Void
  ) throws(RPCError) {
    do throws(AgentLock.Fault) {
      try locks.unlock(uid, passphrase) { [self] fault in
        if let fault {
          if case .wrongPassphrase = fault { record(.unlockRefused, of: uid, for: process) }
          return then(RPCError(fault))
        }
        record(.unlocked, of: uid, for: process)
        vaults.account(of: uid).isUnderLock = false
        vaults.account(of: uid).read { [self] in
          then(nil)
          // It was locked again while the vault was read: the sessions still are.
          guard !isLocked(uid) else { return }
          let sessions = registry.holders(of: uid)
          for session in sessions { session.owe(.unlock(isByReply: session === challenge)) }
          settle(sessions) { [self] in
            noteChange()
            restIfUnused()
          }
        }
      }
    } catch {
      throw RPCError(error)
    }
  }

  private func record(_ outcome: HistoryEntry.Outcome, of uid: UInt32, for process: ProcessIdentifier?) {
    var entry = HistoryEntry(outcome, at: Clock.wallSeconds())
    entry.process = process
    record(entry, of: uid)
  }
}

extension RPCError {
  fileprivate init(_ fault: AgentLocks.Fault) {
    switch fault {
    case .lock(let fault): self.init(fault)
    case .wrongPassphrase: self.init(VaultFault.wrongPassphrase)
    case .noMemory: self = .internalError("no memory for the key of a passphrase")
    }
  }
}
