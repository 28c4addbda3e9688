internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordVault
internal import WatchwordVocabulary

/// The locks of all accounts, and the thread that makes keys of their passphrases, one at a time.
@ReactorActor
final class AgentLocks {
  enum AccountLockFault: Error {
    case lock(AgentLock.LockFault)
    case wrongPassphrase
    case noMemory
  }

  private struct LockOfAccount {
    var lock = AgentLock()
    /// What it was locked with.
    var passphrase: LockPassphrase?
    var idle = IdleAgent()
  }

  private var entries: [UInt32: LockOfAccount] = [:]
  private static let worker = BlockingPool(threads: 1)

  func isLocked(_ uid: UInt32) -> Bool { entries[uid]?.lock.isLocked ?? false }
  var isAnyLocked: Bool { entries.values.contains { $0.lock.isLocked } }

  /// Returns when it is locked.
  func lock(_ uid: UInt32, _ passphrase: Secret) async throws(AccountLockFault) {
    do throws(AgentLock.LockFault) {
      try entries[uid, default: LockOfAccount()].lock.beginLocking()
    } catch {
      throw .lock(error)
    }
    let made = await AgentLocks.worker.run { LockPassphrase(passphrase) }
    entries[uid]?.lock.endLocking(isReady: made != nil)
    guard let made else { throw .noMemory }
    entries[uid]?.passphrase = made
  }

  /// What tells the passphrases with which agents are locked, or can be locked again, and which are.
  var kept: [(uid: UInt32, passphrase: LockPassphrase, isLocked: Bool, wrongAttempts: Int)] {
    entries.compactMap { uid, entry in
      entry.passphrase.map { (uid, $0, entry.lock.isLocked, entry.lock.wrongAttempts) }
    }
  }

  /// Those of the previous daemon.
  func takeOver(_ passphrase: LockPassphrase, of uid: UInt32, isLocked: Bool, wrongAttempts: Int) {
    entries[uid, default: LockOfAccount()].passphrase = passphrase
    entries[uid]?.lock = AgentLock(wrongAttempts: wrongAttempts)
    if isLocked { _ = entries[uid]?.lock.lockAgain() }
  }

  /// Locks it with the passphrase of the time before; whether it is locked now.
  func lockAgain(_ uid: UInt32) -> Bool {
    guard var entry = entries[uid], entry.passphrase != nil else { return false }
    defer { entries[uid] = entry }
    return entry.lock.lockAgain()
  }

  /// - Returns: Whether to look after the idle time.
  func noteUse(of uid: UInt32) -> Bool {
    entries[uid, default: LockOfAccount()].idle.noteUse(now: EventLoop.shared.now)
  }

  func endIdleTime(of uid: UInt32) { entries[uid]?.idle = IdleAgent() }

  func idleOutcome(of uid: UInt32, after seconds: Double, isRunning: Bool) -> IdleAgent.IdleAction {
    guard let entry = entries[uid] else { return .nothing }
    return entries[uid]?.idle.outcome(
      after: seconds, isRunning: isRunning, isLocked: entry.lock.isLocked,
      hasPassphrase: entry.passphrase != nil, now: EventLoop.shared.now) ?? .nothing
  }

  /// What becomes of an agent that is left alone at once.
  func ending(of uid: UInt32) -> IdleAgent.IdleAction {
    IdleAgent.ending(isLocked: isLocked(uid), hasPassphrase: entries[uid]?.passphrase != nil)
  }

  /// Returns when it is unlocked.
  func unlock(_ uid: UInt32, _ passphrase: Secret) async throws(AccountLockFault) {
    guard var entry = entries[uid], let right = entry.passphrase else { throw .lock(.unlocked) }
    let delay: Double
    do throws(AgentLock.LockFault) {
      delay = try entry.lock.beginUnlocking()
    } catch {
      throw .lock(error)
    }
    entries[uid] = entry
    await EventLoop.shared.sleep(seconds: delay)
    let isRight = await AgentLocks.worker.run { right.matches(passphrase) }
    entries[uid]?.lock.endUnlocking(isRight: isRight)
    guard let isRight else { throw .noMemory }
    guard isRight else { throw .wrongPassphrase }
  }
}
