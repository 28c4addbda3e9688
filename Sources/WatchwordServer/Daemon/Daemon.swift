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
  let budget = MemoryBudget()
  let results = KeptResults()
  /// What became of credentials, of each uid.
  private var histories: [UInt32: CredentialHistory] = [:]
  private var historyFile: HistoryFile?
  let tokens: TokenHost
  let permanentTrust: PermanentTrustStore
  let vaults: VaultStore
  let started = EventLoop.shared.now
  private(set) var policy: TrustPolicy
  private(set) var kerberosFiles: KerberosFiles
  private(set) var sources: [String: NamedSource]
  private(set) var peers: [PeerIdentifier: Peer] = [:]
  /// Tasks by their wire name, for the methods that name one.
  private(set) var tasks: [TaskName: FetchTask] = [:]
  private(set) lazy var subscriptions = StatusSubscriptions(self)

  private let methods = MethodTable()
  private var listener: Listener?
  private var lastPeer: UInt64 = 0
  var lastRestriction: UInt64 = 0
  private var lastTaskNumber: UInt64 = 0
  private(set) var isStopping = false
  /// Everything has been cancelled; only the last replies are still being sent.
  private var isEnding = false
  private var stopTimer: LoopTimer?
  private var idleTimer: LoopTimer?

  package init(_ options: DaemonOptions, logger: Logger) {
    self.options = options
    policy = options.policy
    kerberosFiles = options.kerberosFiles
    sources = options.sources
    tokens = TokenHost(modules: options.tokenModules, program: options.tokenProgram)
    self.logger = logger
    vaults = VaultStore(options.statePlace, counters: counters, budget: budget)
    if let path = options.historyPath {
      historyFile = HistoryFile(path: path, counters: counters) { text in
        logger.error("history not written", metadata: ["reason": "\(text)"])
      }
    }
    permanentTrust = PermanentTrustStore(options.statePlace, counters: counters) { note in
      switch note {
      case .complaint(let text):
        logger.error("permanent decisions not understood", metadata: ["reason": "\(text)"])
      case .unavailable(let text):
        logger.error("permanent decisions not available", metadata: ["reason": "\(text)"])
      }
    }
  }

  // MARK: Life

  /// Takes the socket and serves; the loop must be running.
  package func start() throws(ListenerFault) {
    if let fault = CurlEngine.libraryFault { throw .unusableLibrary(fault) }
    let listener = try Listener(options)
    self.listener = listener
    permanentTrust.open()
    vaults.open(for: self)
    do throws(ReactorError) {
      try EventLoop.shared.onSignals([SIGTERM, SIGINT, SIGHUP]) { [unowned self] signal in
        if signal == SIGHUP { _ = reload() } else { stop(isGraceful: true) }
      }
      try listener.begin(
        { [unowned self] in accept($0) }, deferred: { [counters] in counters.acceptsDeferred += 1 })
    } catch {
      throw .system("\(error)")
    }
    for name in options.proxies.malformed {
      logger.error("not a proxy's URL or exception", metadata: ["variable": "\(name)"])
    }
    logger.info("listening", metadata: ["socket": "\(listener.path)"])
    listener.announceReady()
    restIfUnused()
  }

  var proxies: ProxyRules? { options.proxies.rules }

  var socketPath: String { listener?.path ?? options.socketPath }

  /// Reads the configuration file again. An invalid one changes nothing; its fault is logged and returned.
  func reload() -> ConfigurationFault? {
    guard let path = options.configurationPath else { return nil }
    let file: ConfigurationFile
    do throws(ConfigurationFault) {
      file = try ConfigurationFile(path: path)
    } catch {
      logger.error("configuration not reloaded", metadata: ["reason": "\(error.text)"])
      return error
    }
    if let level = file.logLevel { logger.logLevel = level }
    if file.isHostWide != options.isHostWide { logger.warning("access changes with the next start only") }
    if file.historyPath != options.historyPath {
      logger.warning("historyFile changes with the next start only")
    }
    tokens.modules = file.tokenModules
    kerberosFiles = file.kerberosFiles
    sources = file.sources
    if file.policy != policy {
      policy = file.policy
      for session in registry.all { session.policyChanged() }
      noteChange()
    }
    logger.info("configuration reloaded")
    return nil
  }

  /// Takes no new connections or tasks; a graceful stop lets running tasks finish for a while.
  func stop(isGraceful: Bool) {
    if isStopping {
      return endStop()
    }
    isStopping = true
    // The next daemon can take both places from here on.
    permanentTrust.close()
    vaults.close()
    listener?.remove()
    listener = nil
    logger.info("stopping", metadata: ["tasks": "\(tasks.count)"])
    if !isGraceful || tasks.isEmpty { return endStop() }
    stopTimer = EventLoop.shared.schedule(after: Limits.gracefulStopSeconds) { [unowned self] in endStop() }
  }

  private func endStop() {
    stopTimer?.cancel()
    guard !isEnding else { return closeAll() }
    isEnding = true
    for session in registry.all { session.invalidate(.shutdown) }
    for peer in Array(peers.values) { peer.finish() }
    guard !peers.isEmpty else { return end() }
    stopTimer = EventLoop.shared.schedule(after: Limits.lastWordsSeconds) { [unowned self] in closeAll() }
  }

  private func closeAll() {
    for peer in Array(peers.values) { peer.close() }
    end()
  }

  /// The process ends when the vaults are written, and does not wait long for a disk that hangs.
  private func end() {
    stopTimer = EventLoop.shared.schedule(after: Limits.lastWordsSeconds) { EventLoop.shared.stop() }
    vaults.whenReleased { EventLoop.shared.stop() }
  }

  /// Schedules the end of a daemon that was started on demand and is unused.
  private func restIfUnused() {
    idleTimer?.cancel()
    idleTimer = nil
    guard let seconds = options.idleExitSeconds, peers.isEmpty, tasks.isEmpty, !isStopping,
      registry.all.allSatisfy({ $0.holdsNothing })
    else { return }
    idleTimer = EventLoop.shared.schedule(after: seconds) { [unowned self] in
      logger.info("idle")
      stop(isGraceful: true)
    }
  }

  // MARK: Peers

  private func accept(_ descriptor: Int32) {
    guard let process = PeerProcess(of: descriptor), mayConnect(process.uid) else {
      DescriptorCloser.close(descriptor)
      return
    }
    admit(descriptor, of: process)
  }

  /// - Parameter listener: where a restricted connection was made.
  func admit(_ descriptor: Int32, of process: PeerProcess, to listener: RestrictedListener? = nil) {
    lastPeer += 1
    let peer = Peer(
      PeerIdentifier(lastPeer), descriptor: descriptor, process: process, delegate: self)
    peers[peer.identifier] = peer
    idleTimer?.cancel()
    idleTimer = nil
    let own = peers.values.lazy.filter { $0.process.uid == process.uid }.count
    let limit =
      peers.count > Limits.connections
      ? "connections"
      : own > Limits.connectionsPerUID
        ? "connectionsPerUid" : listener?.isFull ?? false ? "connectionsPerListener" : nil
    if let limit {
      return peer.refuse(
        RPCError(.limitExceeded, "too many connections", details: ["limit": .string(limit)]))
    }
    listener?.take(peer)
    peer.open()
    noteChange()
  }

  /// In per-user mode the daemon's uid and root; every uid on a host-wide socket.
  private func mayConnect(_ uid: UInt32) -> Bool {
    options.isHostWide || uid == getuid() || uid == 0
  }

  func historyCount(of uid: UInt32) -> Int { histories[uid]?.count ?? 0 }

  /// The newest entries of the peer's uid, without those of private sessions of other connections.
  func history(
    _ limit: Int, for peer: Peer, where isWanted: (HistoryEntry) -> Bool = { _ in true }
  ) -> [HistoryEntry] {
    histories[peer.process.uid]?.latest(limit) { entry in
      let isOthers =
        entry.session.hasPrefix(SessionOpen.privatePrefix) && peer.sessions[entry.session] == nil
      return !isOthers && isWanted(entry)
    } ?? []
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
    while tasks[TaskName(uid: uid, text: "t\(number)")] != nil { number += 1 }
    return "t\(number)"
  }

  func add(_ task: FetchTask) { tasks[task.name] = task }

  func remove(_ task: FetchTask) {
    tasks[task.name] = nil
    noteChange()
    if isStopping && !isEnding && tasks.isEmpty { endStop() }
    restIfUnused()
  }

  func note(_ note: VaultStore.Note) {
    switch note {
    case .made(let path):
      logger.notice("vault made", metadata: ["path": "\(path)"])
    case .unreadable(let count, let path):
      logger.error("records that do not open", metadata: ["path": "\(path)", "count": "\(count)"])
    case .unavailable(let text): logger.error("vault not available", metadata: ["reason": "\(text)"])
    case .locked(let path): logger.notice("vault locked", metadata: ["path": "\(path)"])
    }
  }

  func permanentCredentialsChanged(_ alteration: PermanentCredentials.Alteration, of uid: UInt32) {
    registry.permanentCredentialsChanged(alteration, of: uid)
    noteChange()
  }

  /// A part of `status` has changed.
  func noteChange() { subscriptions.noteChange() }
}

extension Daemon: PeerDelegate {
  func peer(_ peer: Peer, didReceive call: Call, _ request: Message.Request) {
    guard let handler = methods[call.method] else {
      return call.fail(RPCError(.methodNotFound, "no method \(call.method.prefix(Limits.namedBytes))"))
    }
    if let restriction = peer.restriction, !MethodTable.isForRestricted(call.method) {
      return call.fail(restriction.refuse(RestrictionFault(.call), to: peer))
    }
    guard !request.isPositional else {
      return call.fail(.invalidParams("params", "must be an object: parameters go by name"))
    }
    do throws(RPCError) {
      try handler(self, call, request.parameters)
    } catch {
      call.fail(error)
    }
  }

  func peerCannotBeAsked(_ peer: Peer) {
    for session in peer.sessions.values { session.register(peer.identifier, interest: .nothing) }
  }

  func peerClosed(_ peer: Peer) {
    peers[peer.identifier] = nil
    subscriptions.remove(peer.identifier)
    for session in peer.sessions.values { session.remove(peer.identifier) }
    peer.sessions = [:]
    releaseRestrictions(of: peer)
    noteChange()
    restIfUnused()
    if isEnding && peers.isEmpty { end() }
  }
}

extension Daemon: SessionEnvironment {
  var lastTask: TaskIdentifier { TaskIdentifier(lastTaskNumber) }

  func process(of peer: PeerIdentifier) -> Int32? { peers[peer]?.process.pid }

  func notify(_ peer: PeerIdentifier, of challenge: PendingChallenge, in session: Session) {
    guard let receiver = peers[peer] else { return }
    let subject = challenge.question.space.subject
    receiver.notify(
      DidReceiveChallenge(
        describe(challenge, in: session, for: receiver),
        isForSession: subject.method.isSessionWide
          && session.state.board.roster.isSessionDelegate(peer, for: subject)))
    noteChange()
  }

  func notifySettled(
    _ challenge: String, _ outcome: ChallengeOutcome, _ disposition: Disposition?, to peers: [PeerIdentifier],
    in session: Session
  ) {
    let notification = ChallengeDidSettle(
      challenge: challenge, session: session.name, outcome: outcome, disposition: disposition)
    for peer in peers { self.peers[peer]?.notify(notification) }
    noteChange()
  }

  func notifyCredentialChange(
    _ key: CredentialCache.Key, _ change: CredentialCache.Change, to peers: [PeerIdentifier],
    in session: Session
  ) {
    let notification = CredentialDidChange(session: session.name, key: key, change: change)
    for peer in peers { self.peers[peer]?.notify(notification) }
    noteChange()
  }

  func record(_ entry: HistoryEntry, of uid: UInt32) {
    if entry.outcome == .restricted { counters.restrictionViolations += 1 }
    counters.historyEntries += 1
    let isNew = histories[uid, default: CredentialHistory()].record(entry)
    if isNew { historyFile?.add(entry, of: uid) }
  }

  func warn(ofPinFrom origin: Origin, in session: Session) {
    logger.warning(
      "no pinned key in the chain", metadata: ["session": "\(session.name)", "origin": "\(origin)"])
  }

  func warn(of weaker: WeakerOffer, met task: FetchTask, in session: Session) {
    logger.warning(
      "weaker offer than before",
      metadata: [
        "session": "\(session.name)", "task": "\(task.order.name)", "origin": "\(weaker.origin)",
        "previous": "\(weaker.previous)", "offered": "\(weaker.offered)",
      ])
  }

  func warn(of fault: SourceFault, ofSource name: String, for origin: Origin, in session: Session) {
    logger.warning(
      "source of credentials not usable",
      metadata: [
        "source": "\(name)", "reason": "\(fault.text)", "origin": "\(origin)", "session": "\(session.name)",
      ])
  }

  func sessionEnded(
    _ session: Session, _ reason: SessionDidInvalidate.Reason, holders: [PeerIdentifier]
  ) {
    registry.remove(session)
    for peer in holders.compactMap({ peers[$0] }) {
      peer.sessions[session.name] = nil
      peer.notify(SessionDidInvalidate(session: session.name, reason: reason))
    }
    noteChange()
    restIfUnused()
  }

  /// A challenge as `peer` may see it: the URL's query only for the connection of the task.
  func describe(_ challenge: PendingChallenge, in session: Session, for peer: Peer) -> ChallengeDescription {
    let raiser = session.tasks[challenge.raiser.task]
    var executables: [PeerIdentifier: String] = [:]
    let waiters = challenge.waiters.prefix(ChallengeDescription.maximumWaiters).map { waiter in
      let process = waiter.peer.flatMap { peers[$0]?.process }
      if let peer = waiter.peer, executables[peer] == nil { executables[peer] = process?.executable }
      return ChallengeDescription.Waiter(
        task: session.tasks[waiter.task]?.order.name ?? "", pid: process?.pid, uid: session.uid,
        executable: waiter.peer.flatMap { executables[$0] })
    }
    let url = challenge.question.url
    return ChallengeDescription(
      challenge: challenge.identifier, session: session.name, task: raiser?.order.name ?? "",
      url: raiser?.peer == peer.identifier ? url.text : url.textWithoutQuery, question: challenge.question,
      identities: session.state.identitiesThatFit(challenge.question, at: session.moment),
      waiters: Array(waiters),
      waiterCount: challenge.waiterCount,
      deadline: Clock.wallSeconds() + challenge.deadline - EventLoop.shared.now)
  }
}
