internal import Glibc
internal import WatchwordCore
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordSecret
internal import WatchwordVault
internal import WatchwordVocabulary

/// `agent/*` and SIGUSR1.
extension Daemon {
  /// Clears the memory of a uid, or of all; the vaults stay (challenges.md 9.8).
  ///
  /// - Parameters:
  ///   - process: that asked; nil: the signal did.
  ///   - then: called when nothing decrypted is left.
  func forget(_ uid: UInt32?, for process: Int32?, then: @escaping () -> Void) {
    let sessions = registry.all.filter { uid == nil || $0.uid == uid }
    for session in sessions { session.forget() }
    for uid in uid.map({ [$0] }) ?? Set(sessions.map(\.uid)).sorted() {
      record(.forgotten, of: uid, for: process)
    }
    // Their tokens are the administrator's.
    if uid == nil || uid == getuid() { sources.forget() }
    vaults.forget(uid) { [self] in
      noteChange()
      then()
    }
  }

  func isLocked(_ uid: UInt32) -> Bool { locks.isLocked(uid) }

  /// Locks the agent of a uid.
  ///
  /// - Parameter then: called when it is locked and nothing decrypted is left, or with an error.
  func lock(
    _ uid: UInt32, _ passphrase: Secret, for process: Int32, then: @escaping (RPCError?) -> Void
  ) throws(RPCError) {
    do throws(AgentLock.Fault) {
      try locks.lock(uid, passphrase) { [self] fault in
        if let fault { return then(RPCError(fault)) }
        for session in registry.sessions(of: uid) { session.lock() }
        record(.locked, of: uid, for: process)
        if uid == getuid() { sources.forget() }
        vaults.account(of: uid).isUnderLock = true
        vaults.forget(uid) { [self] in
          noteChange()
          then(nil)
        }
      }
    } catch {
      throw RPCError(error)
    }
  }

  /// Unlocks the agent of a uid. A vault with a key file is read again before the tasks go on.
  ///
  /// - Parameters:
  ///   - challenge: the session whose challenge was answered.
  ///   - then: called before the tasks go on, or with an error.
  func unlock(
    _ uid: UInt32, _ passphrase: Secret, for process: Int32, inReplyTo challenge: Session? = nil,
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
          for session in registry.sessions(of: uid) { session.unlock(isByReply: session === challenge) }
          noteChange()
          restIfUnused()
        }
      }
    } catch {
      throw RPCError(error)
    }
  }

  private func record(_ outcome: HistoryEntry.Outcome, of uid: UInt32, for process: Int32?) {
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
    case .noMemory: self.init(.internalError, "no memory for the key of a passphrase")
    }
  }
}
