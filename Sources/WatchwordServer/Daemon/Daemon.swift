internal import CLinux
internal import Glibc
package import Logging
internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordProtocol
package import WatchwordReactor
internal import WatchwordTransport
internal import WatchwordVocabulary

/// The daemon: its socket, its peers, its sessions, and the notifications to each peer.
@ReactorActor
package final class Daemon {
  /// Keeps the daemon alive while the loop runs; set once, by the program.
  package static var running: Daemon?

  let options: DaemonOptions
  var logger: Logger
  let counters = Counters()
  let registry = SessionRegistry()
  let budget = MemoryBudget(limit: Limits.bytesPerUID)
  /// For what takes no room from the rest (`Limits.reservedBytesPerUID`).
  let reserve = MemoryBudget(limit: Limits.reservedBytesPerUID)
  let results = KeptResults()
  let histories: CredentialHistories
  let tokens: TokenHost
  private(set) lazy var vaults = VaultStore(
    options.statePlace, systemdCredential: options.settings.vault.systemdCredential,
    secretService: options.isHostWide || !options.settings.vault.secretService
      ? .not("the configuration turns it off") : .through(options.secretServiceProgram), self)
  let roots: UserRootsStore
  let locks = AgentLocks()
  let started = EventLoop.shared.now
  /// Of the configuration file that was read last; nil: there was none.
  var configurationMembers: JSONNode?
  /// Of the same file; what counts from the next start only is in `options`.
  var settings: DaemonSettings
  var policy: TrustPolicy { settings.transportSecurity }
  var kerberosFiles: KerberosFiles { settings.kerberos }
  private(set) lazy var sources = SourceRegistry(options.settings.credentialSources, self)
  /// False until the locks and sessions of the previous daemon are taken over.
  var hasBegunSynchronization = false
  private(set) lazy var synchronizer = options.settings.synchronization.map { Synchronizer($0, self) }
  private(set) var peers: [PeerIdentifier: Peer] = [:]
  /// Tasks by their wire name, for the methods that name one.
  private(set) var tasks: [TaskName: TaskDriver] = [:]
  private(set) lazy var subscriptions = StatusSubscriptions(self)
  private(set) lazy var suspendWatcher = SuspendWatcher(
    lockAll: { [unowned self] in await lockForSleep() }, changed: { [unowned self] in noteChange() })

  private var listener: Listener?
  private var lastPeer: UInt64 = 0
  var lastRestriction: UInt64 = 0
  var restrictedSockets: [OpenRestrictedSocket] = []
  var lastTaskNumber: UInt64 = 0
  /// While the daemon is restarted.
  var handover: Handover?
  var startSuccessor: @ReactorActor () throws(Successor.SuccessionFault) -> Successor = {
    () throws(Successor.SuccessionFault) in
    try Successor.start()
  }
  /// The last thing that the daemon does: the process ends.
  var endProcess: @ReactorActor () -> Void = {
    HelperProcess.endAll()
    EventLoop.shared.stop()
  }
  private(set) var isStopping = false
  /// Everything has been cancelled; only the last replies are still being sent.
  private var isEnding = false
  private var stopTimer: LoopTimer?
  private var hasLeft = false
  /// At the end of this turn, whether it is used.
  private var looksForUse = false
  private(set) lazy var idleExit = IdleExit(after: options.idleExitSeconds, of: self)

  package init(_ options: DaemonOptions, logger: Logger) {
    self.options = options
    configurationMembers = options.configurationMembers
    settings = options.settings
    tokens = TokenHost(modules: options.settings.pkcs11Modules, program: options.tokenProgram)
    self.logger = logger
    roots = UserRootsStore(options.statePlace, budget: budget)
    let complain: (String) -> Void = { text in
      logger.error("history not written", metadata: ["reason": "\(text)"])
    }
    histories = CredentialHistories(
      file: options.settings.historyFile.map { [counters] path in
        HistoryFile(path: path, counters: counters, complain: complain)
      },
      journal: options.settings.historyJournal.map { [counters] path in
        HistoryJournal(path: path, counters: counters, complain: complain)
      }, counters: counters)
  }

  // MARK: Life

  /// What keeps a daemon with these options from serving, as far as can be told before it has its sockets.
  nonisolated package static func check(_ options: DaemonOptions) throws(ListenerFault) {
    if let fault = CurlEngine.libraryFault { throw .unusableLibrary(fault) }
    for socket in options.settings.restrictedSockets {
      try SocketDirectory.prepare(of: socket.path, isHostWide: false)
    }
  }

  /// Takes the socket and serves; the loop must be running.
  ///
  /// - Parameter inheritance: of the daemon that this one follows.
  package func start(_ inheritance: Inheritance? = nil) throws(ListenerFault) {
    try Daemon.check(options)
    let state = inheritance?.takeState()
    let listener = try Listener(options, inheritance?.takeListener(at: options.socketPath))
    self.listener = listener
    do throws(ListenerFault) {
      try openRestrictedSockets(inheritance)
    } catch {
      closeRestrictedSockets()
      listener.remove()
      throw error
    }
    do throws(ReactorError) {
      // Before a vault asks the Secret Service on a thread.
      try EventLoop.shared.onSignals([SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2]) { [unowned self] signal in
        switch signal {
        case SIGUSR2: EventLoop.shared.begin { [self] in try? await restart() }
        case SIGHUP: EventLoop.shared.begin { [self] in try? await reload() }
        case SIGUSR1:
          EventLoop.shared.begin { [self] in
            await forget(nil, for: nil)
            logger.notice("memory cleared")
          }
        default: stop(isGraceful: true)
        }
      }
      vaults.open(with: state?.vaultKeys ?? [:])
      roots.open(
        changed: { [unowned self] in userRootsChanged(of: $0) },
        complain: { [logger] in
          logger.error("certificate authorities of a user not used", metadata: ["reason": "\($0)"])
        })
      if let inheritance, let state {
        for given in inheritance.takeListeners() { Listener(given).remove() }
        takeOver(state)
        note(inheritance)
      }
      try listener.begin(countingIn: counters) { [unowned self] in accept($0) }
      try serveRestrictedSockets()
    } catch {
      throw .system("\(error)")
    }
    for name in options.proxies.malformed {
      logger.error("not a proxy's URL or exception", metadata: ["variable": "\(name)"])
    }
    logger.info("listening", metadata: ["socket": "\(listener.path)"])
    // It makes threads, which must not take the signals above.
    beginSynchronization()
    listener.announceReady()
    suspendWatcher.turn(on: options.settings.agent.lockOnSuspend)
    restIfUnused()
  }

  var proxies: ProxyRules? { options.proxies.rules }

  func makeEngine(_ configuration: EngineConfiguration) throws(EngineFault) -> any ExchangeEngine {
    try registry.engineMaker(configuration, nil, nil)
  }

  var socketPath: String { listener?.path ?? options.socketPath }

  /// Takes no new connections or tasks; a graceful stop lets running tasks finish for a while.
  func stop(isGraceful: Bool) {
    // A second wish ends a restart, too, as does one that comes before the next daemon can serve.
    if isStopping || handover?.isReady == false { abandonHandover() }
    if isStopping {
      return endStop()
    }
    isStopping = true
    // The next daemon can take both places from here on.
    synchronizer?.stop()
    handover?.vaultKeys = vaults.derivedKeys
    vaults.close()
    leaveSockets()
    logger.info("stopping", metadata: ["tasks": "\(tasks.count)"])
    if !isGraceful || tasks.isEmpty { return endStop() }
    stopTimer = EventLoop.shared.schedule(after: Limits.gracefulStopSeconds) { [unowned self] in endStop() }
  }

  private func leaveSockets() {
    if let handover {
      handover.listeners = ([listener].compactMap(\.self) + restrictedSockets.map(\.listener)).map {
        $0.giveAway()
      }
      restrictedSockets = []
    } else {
      closeRestrictedSockets()
      listener?.remove()
    }
    listener = nil
  }

  private func endStop() {
    stopTimer?.cancel()
    guard !isEnding else { return closeAll() }
    isEnding = true
    handover?.state = sessionsState
    for session in registry.all { session.invalidate(.shutdown) }
    for peer in Array(peers.values) { peer.finish() }
    guard !peers.isEmpty else { return end() }
    stopTimer = EventLoop.shared.schedule(after: Limits.lastWordsSeconds) { [unowned self] in closeAll() }
  }

  private func closeAll() {
    for peer in Array(peers.values) { peer.close() }
    end()
  }

  /// The process ends when the vaults are written, and does not wait long for a disk that hangs, nor for an
  /// endpoint that may have replaced a refresh token.
  private func end() {
    stopTimer?.cancel()
    EventLoop.shared.begin { [self] in
      await sources.end()
      await vaults.released()
      leave()
    }
    guard !hasLeft else { return }
    stopTimer = EventLoop.shared.schedule(
      after: sources.isEnding ? Limits.gracefulStopSeconds : Limits.lastWordsSeconds
    ) { [self] in leave() }
  }

  /// Once: what is given may have to wait for another successor.
  private func leave() {
    guard !hasLeft else { return }
    hasLeft = true
    stopTimer?.cancel()
    EventLoop.shared.begin { [self] in
      await giveHandover()
      endProcess()
    }
  }

  /// Schedules the end of a daemon that was started on demand and is unused.
  ///
  /// Looked at once in a turn: with a connection thousands of sessions may end, and each looks at those that
  /// are left.
  func restIfUnused() {
    guard !looksForUse else { return }
    looksForUse = true
    EventLoop.shared.atEndOfTurn { [unowned self] in
      looksForUse = false
      if isUsed { idleExit.cancel() } else { idleExit.begin() }
    }
  }

  var isUsed: Bool {
    !peers.isEmpty || !tasks.isEmpty || isStopping || locks.isAnyLocked
      || registry.unordered.contains { !$0.holdsNothing }
  }

  /// Takes over the connections that wait for it; those of restricted sockets, too.
  func acceptWaiting() {
    listener?.acceptWaiting()
    for socket in restrictedSockets { socket.listener.acceptWaiting() }
  }

  // MARK: Peers

  private func accept(_ descriptor: Int32) {
    guard let process = PeerProcess(of: descriptor), mayConnect(process.uid) else {
      DescriptorCloser.close(descriptor)
      return
    }
    admit(descriptor, of: process)
  }

  /// - Parameter entrance: where a restricted connection was made.
  func admit(_ descriptor: Int32, of process: PeerProcess, to entrance: RestrictedEntrance? = nil) {
    lastPeer += 1
    let peer = Peer(
      PeerIdentifier(lastPeer), descriptor: descriptor, process: process, delegate: self)
    peers[peer.identifier] = peer
    idleExit.cancel()
    let own = peers.values.lazy.filter { $0.process.uid == process.uid }.count
    let limit =
      peers.count > Limits.connections
      ? "connections"
      : own > Limits.connectionsPerUID
        ? "connectionsPerUid" : entrance?.isFull ?? false ? "connectionsPerListener" : nil
    if let limit {
      return peer.refuse(
        .limitExceeded("too many connections", limit: limit))
    }
    synchronizer?.note(process.uid)
    entrance?.admit(peer)
    peer.open()
    noteChange()
  }

  func peer(_ peer: Peer, endsBecause reason: String, waiting bytes: Int) {
    logger.warning(
      "connection closed: it does not read",
      metadata: [
        "pid": "\(peer.process.pid.map { "\($0)" } ?? "unknown")", "uid": "\(peer.process.uid)",
        "reason": "\(reason)",
        "waiting": "\(bytes)",
      ])
  }

  func peerClosed(_ peer: Peer) {
    peers[peer.identifier] = nil
    subscriptions.remove(peer.identifier)
    peer.leaveSessions(except: nil)
    releaseRestrictions(of: peer)
    noteChange()
    restIfUnused()
    if isEnding && peers.isEmpty { end() }
  }

  /// In per-user mode the daemon's uid and root; every uid on a host-wide socket.
  private func mayConnect(_ uid: UInt32) -> Bool {
    options.isHostWide || uid == getuid() || uid == 0
  }

  /// Whether the peer may reload and stop the daemon.
  func isAdministrator(_ peer: Peer) -> Bool { peer.process.uid == getuid() || peer.process.uid == 0 }

  // MARK: Tasks

  func nextTask() -> TaskIdentifier {
    lastTaskNumber += 1
    return TaskIdentifier(lastTaskNumber)
  }

  /// A name that no task of this uid has: a caller may have chosen the next generated one.
  func freeTaskName(_ uid: UInt32) -> String {
    var number = lastTaskNumber + 1
    while true {
      let text = "t" + String(number)
      if tasks[TaskName(uid: uid, text: text)] == nil { return text }
      number += 1
    }
  }

  func began(_ task: TaskDriver) { tasks[task.name] = task }

  func ended(_ task: TaskDriver, _ outcome: TaskOutcome) {
    log(outcome, of: task)
    tasks[task.name] = nil
    noteChange()
    if isStopping && !isEnding && tasks.isEmpty { endStop() }
    restIfUnused()
  }

  private func userRootsChanged(of uid: UInt32) {
    changes(of: uid).add(.roots)
    noteChange()
  }

  /// A part of `status` has changed.
  func noteChange() { subscriptions.noteChange() }
}

extension Daemon: VaultEnvironment {
  func whenFollowed(by uid: UInt32, _ then: @escaping @ReactorActor () -> Void) {
    changes(of: uid).whenFollowed(then)
  }

  func note(_ note: VaultStore.Note) {
    switch note {
    case .made(let path, let refusal):
      logger.notice("vault made", metadata: ["path": "\(path)"])
      if let refusal { logger.notice("a key file opens the vault", metadata: ["reason": "\(refusal)"]) }
    case .unreadable(let count, let path):
      logger.error("records that do not open", metadata: ["path": "\(path)", "count": "\(count)"])
    case .unavailable(let text): logger.error("vault not available", metadata: ["reason": "\(text)"])
    case .locked(let path): logger.notice("vault locked", metadata: ["path": "\(path)"])
    }
  }

  func permanentCredentialsChanged(_ alteration: PermanentCredentials.Alteration, of uid: UInt32) {
    changes(of: uid).add(.credentials(alteration))
    noteChange()
  }

  func permanentIdentitiesChanged(_ changes: [PermanentIdentityChange], of uid: UInt32) {
    self.changes(of: uid).add(.identities(changes))
    noteChange()
  }

  func permanentContentsRead(of uid: UInt32) {
    // What is decrypted does not wait for a first use of the agent to be wiped after the idle time.
    noteUse(of: uid)
    if vaults.account(of: uid).identities.count > 0 { changes(of: uid).add(.identitiesRead) }
  }
}
