internal import Glibc
internal import Logging
internal import WatchwordCore
internal import WatchwordMessages
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordTransport
internal import WatchwordVault
internal import WatchwordVocabulary

/// A daemon that is being restarted: who follows it, and what it will give.
@ReactorActor
final class Handover {
  fileprivate(set) var successor: Successor
  /// Whether it is the second one: the first has ended before it was given anything.
  fileprivate var isReplaced = false
  /// Whether the successor can serve: the daemon stops.
  fileprivate(set) var isReady = false
  /// No longer this daemon's, from its stop on.
  var listeners: [Listener.Given] = []
  /// Taken before the vaults are left.
  var vaultKeys: [UInt32: DerivedKey] = [:]
  /// Taken before the sessions end.
  var state = DaemonState()

  init(_ successor: Successor) { self.successor = successor }
}

/// `server/restart` and SIGUSR2 (messages.md 11.12).
extension Daemon {
  /// Starts the daemon that follows this one, and stops when that can serve.
  ///
  /// - Parameter acknowledge: called before anything stops.
  /// - Throws: why nothing has changed.
  func restart(acknowledge: () -> Void = {}) async throws(RPCError) {
    guard !isStopping else { throw .daemonIsStopping }
    guard handover == nil else { throw .shuttingDown("another restart has begun") }
    let handover: Handover
    do throws(Successor.SuccessionFault) {
      handover = Handover(try startSuccessor())
      self.handover = handover
      try await handover.successor.becomeReady()
    } catch {
      // It is not restarted any more.
      guard !isStopping else { throw .daemonIsStopping }
      self.handover = nil
      logger.error("not restarted", metadata: ["reason": "\(error.text)"])
      throw .restartFailed(error.text)
    }
    guard self.handover === handover else { throw .daemonIsStopping }
    handover.isReady = true
    acknowledge()
    logger.notice("restarting", metadata: ["successor": "\(handover.successor.process)"])
    stop(isGraceful: true)
  }

  /// The daemon is to end, and nothing is to follow it.
  func abandonHandover() {
    guard let handover else { return }
    self.handover = nil
    handover.successor.discard()
    for given in handover.listeners { Listener(given).remove() }
  }

  // MARK: Giving

  /// What the sessions have; they are about to end.
  var sessionsState: DaemonState {
    var state = DaemonState()
    state.settingsKey = registry.settingsKey
    state.lastTask = lastTaskNumber
    state.locks = locks.kept.map {
      DaemonState.KeptLock(
        uid: $0.uid, passphrase: $0.passphrase, isLocked: $0.isLocked, wrongAttempts: $0.wrongAttempts)
    }
    state.sessions = registry.all.filter { $0.isNamed && !$0.isFinishing }.map { session in
      session.forgetWhatIsOver()
      var kept = DaemonState.KeptSession(
        uid: session.uid, name: session.name, configuration: session.configuration)
      kept.contents = session.state.contents
      for identity in kept.contents.identities {
        kept.keys[identity.identity.identifier] = session.keys[identity.identity.identifier]
      }
      kept.cookies = session.engine.cookies.all
      return kept
    }
    return state
  }

  /// The last act of a daemon that is restarted. In place of a successor that has ended meanwhile another one
  /// is started, once.
  func giveHandover() async {
    guard let handover, handover.isReady else { return }
    if give(handover) {
      self.handover = nil
      return
    }
    logger.error("the next daemon has not taken everything over")
    if handover.successor.hasEnded, !handover.isReplaced, let next = try? startSuccessor() {
      handover.isReplaced = true
      handover.successor = next
      logger.notice("restarting", metadata: ["successor": "\(next.process)"])
      try? await next.becomeReady()
      return await giveHandover()
    }
    self.handover = nil
    if handover.successor.hasEnded { handover.listeners.forEach { Listener($0).remove() } }
  }

  private func give(_ handover: Handover) -> Bool {
    guard !handover.successor.hasEnded else { return false }
    // An agent that was locked meanwhile asks for it again.
    handover.state.vaultKeys = handover.vaultKeys.filter { !locks.isLocked($0.key) }
    handover.state.results = results.ofNamedSessions.map { name, entry in
      DaemonState.KeptResult(
        uid: name.uid, description: entry.description, member: entry.member, text: Secret(entry.text),
        expires: entry.expires)
    }
    logger.info("giving the state", metadata: ["successor": "\(handover.successor.process)"])
    guard let skipped = handover.successor.handOver(handover.listeners, handover.state, Predecessor.clocks)
    else {
      return false
    }
    if skipped > 0 { logger.error("parts too large to be given", metadata: ["count": "\(skipped)"]) }
    Listener.announce(successor: handover.successor.process)
    return true
  }

  // MARK: Taking over

  /// Locks come before the sessions, which ask for them.
  func takeOver(_ state: DaemonState) {
    if let key = state.settingsKey { registry.settingsKey = key }
    lastTaskNumber = state.lastTask
    for lock in state.locks {
      locks.takeOver(
        lock.passphrase, of: lock.uid, isLocked: lock.isLocked, wrongAttempts: lock.wrongAttempts)
      guard lock.isLocked else { continue }
      vaults.account(of: lock.uid).isUnderLock = true
      EventLoop.shared.begin { [self] in await vaults.forget(lock.uid) }
    }
    for kept in state.sessions {
      do throws(RPCError) {
        try registry.takeOver(kept, environment: self)
      } catch {
        logger.error(
          "session not taken over",
          metadata: ["session": "\(kept.name)", "uid": "\(kept.uid)", "reason": "\(error.message)"])
      }
    }
    for result in state.results { takeOver(result) }
    // What was given is left alone from now on.
    for uid in Set(state.sessions.map(\.uid) + state.locks.map(\.uid)) { noteUse(of: uid) }
  }

  /// Says what of it has not come, or is not understood.
  func note(_ inheritance: Inheritance) {
    if !inheritance.isWhole {
      logger.error("the previous daemon ended before it had given everything")
    } else if inheritance.unread > 0 {
      logger.error(
        "parts of another version were not understood", metadata: ["count": "\(inheritance.unread)"])
    }
    logger.notice("restarted", metadata: ["sessions": "\(registry.count)"])
  }

  private func takeOver(_ result: DaemonState.KeptResult) {
    let charge = MemoryCharge(budget, uid: result.uid)
    charge.growAnyway(
      by: HeldBytes.result + HeldBytes.text(result.description.url) + HeldBytes.text(result.text.count))
    results.keep(
      KeptResults.EndedTask(
        viewer: nil, description: result.description, member: result.member,
        text: result.text.withBytes { Array($0) }, charge: charge, expires: result.expires),
      as: TaskName(uid: result.uid, text: result.description.task))
  }
}

extension SessionRegistry {
  /// Makes a session of the previous daemon again. No connection holds it yet.
  fileprivate func takeOver(
    _ kept: DaemonState.KeptSession, environment: any SessionEnvironment
  ) throws(RPCError) {
    let session = try named(kept.name, kept.configuration, of: kept.uid, environment: environment)
    session.takeOver(kept.contents, kept.keys, kept.cookies)
  }
}

extension RPCError {
  static let daemonIsStopping = RPCError.shuttingDown("the daemon is stopping")
}

extension Successor.SuccessionFault {
  fileprivate var text: String {
    switch self {
    case .notStarted(let reason): "the next daemon cannot be started: \(reason)"
    case .notReady: "the next daemon ended, or was not ready in time"
    case .refused(let reason): "the next daemon cannot serve: \(reason)"
    }
  }
}
