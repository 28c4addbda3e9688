internal import WatchwordCore
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordTransport
internal import WatchwordVocabulary

/// The driver of a session: its state decides, and this carries out what it says, in the order in which it
/// comes and never one effect inside another.
///
/// The unit of isolation: nothing in here is reachable from another session.
@ReactorActor
final class SessionDriver {
  let name: String
  /// Private sessions end with their one connection.
  let isNamed: Bool
  let uid: UInt32
  private(set) var engines: SessionEngines
  let counters: Counters

  /// Whoever reads it outside of an event calls `catchUp` first, if what is due matters.
  private(set) var state: SessionState
  /// What many sessions have to do and this one has not done yet, in order; each after the change of this
  /// number.
  var due: [(order: SessionOrder, after: UInt64)] = []
  /// What has changed for all sessions of the uid, and the number of the last change that this one has
  /// followed.
  let changes: AccountChanges
  var followed: UInt64
  var isCatchingUp = false
  /// The permanent credentials of the uid; nil with private storage.
  let account: VaultAccount?
  private(set) var tasks: [TaskIdentifier: TaskDriver] = [:]
  /// The one that an effect was for last: those of an event are nearly all for the same task.
  private var recent: TaskDriver?
  var keys = IdentityKeys()
  let negotiator: Negotiator
  /// Of the URLs that were fetched.
  var authorities = KnownAuthorities()
  private(set) var isFinishing = false
  private(set) var isOver = false
  /// Its tasks have ended, too, and it keeps nothing.
  private(set) var hasEnded = false
  /// Of the administrator's sources, by the challenge they are for.
  var readings: [String: SourceTicket] = [:]

  /// Of the configuration.
  let charge: MemoryCharge
  /// Of what is kept in it meanwhile.
  let keptCharge: MemoryCharge
  /// The daemon, which lives as long as the process.
  let environment: any SessionEnvironment
  /// What came while an effect was carried out, or was put off.
  private var queue: [SessionEffect] = []
  private var isPerforming = false
  /// Whether the next step goes on with the queue.
  private var goesOn = false
  private lazy var taker = EventLoop.shared.taker(of: uid)
  /// Both are cancelled at the end. Weak references to the session would make every retain of it slower.
  private var boardTimer: LoopTimer?
  private var boardTimerAt: Double?
  var idleTimer: LoopTimer?
  /// When a caller has named, joined or left it, or one of its tasks has begun or ended.
  var lastUse = EventLoop.shared.now

  init(
    name: String, isNamed: Bool, uid: UInt32, configuration: SessionConfiguration,
    charge: MemoryCharge, allowedOrigins: Set<Origin>?, ambientOrigins: Set<Origin> = [],
    proxies: ProxyRules? = nil, forms: [FormRule] = [],
    engine: any ExchangeEngine,
    environment: any SessionEnvironment
  ) {
    account = configuration.credentialStorage == .shared ? environment.vaults.account(of: uid) : nil
    self.charge = charge
    keptCharge = MemoryCharge(environment.budget, uid: uid)
    self.name = name
    self.isNamed = isNamed
    self.uid = uid
    engines = SessionEngines(engine)
    self.environment = environment
    changes = environment.changes(of: uid)
    followed = changes.last
    counters = environment.counters
    let isOfDaemon = Self.isOfDaemon(uid)
    negotiator = Negotiator(uid: uid, mayUseDefaultCache: isOfDaemon)
    state = SessionState(
      configuration: configuration, allowedOrigins: allowedOrigins,
      ambientOrigins: isOfDaemon ? ambientOrigins : [], proxies: proxies, forms: forms,
      userRoots: environment.userRoots(of: uid),
      surroundings: SessionSurroundings(
        challengeIdentifier: Randomness.challengeIdentifier, clientNonce: Randomness.clientNonce,
        resolve: RedirectTarget.init, isPublicAddress: AddressPolicy.isPublicAddress,
        proxies: environment.proxies,
        process: { [unowned environment] peer in environment.process(of: peer) },
        unavailableMethods: Negotiator.unavailableMethods, isSynchronized: environment.isSynchronized),
      moment: Self.moment(in: environment))
    engine.judge = self
    if environment.isLocked(uid) {
      owe(.lock)
      carryOutWhatIsDue()
    }
  }

  var configuration: SessionConfiguration { state.configuration }
  /// The administrator's.
  var policy: TrustPolicy { environment.policy }

  private static func moment(in environment: any SessionEnvironment) -> SessionMoment {
    SessionMoment(
      now: EventLoop.shared.now, wallClock: Clock.wallSeconds(), lastTask: environment.lastTask,
      policy: environment.policy)
  }

  /// Named sessions are for every process of their uid; a private one is for its connection only.
  func isVisible(to peer: PeerIdentifier, of uid: UInt32) -> Bool {
    isNamed ? uid == self.uid : state.board.roster.isHolder(peer)
  }

  /// Whether the settings say which session it is: whoever has the same settings makes it again.
  var isNamedAfterSettings: Bool { name.hasPrefix(SettingsName.prefix) }

  // MARK: Events

  /// Something has happened to a task: what follows from it is done, or comes after what is being done.
  func feed(_ event: TaskEvent, to task: SessionTask) {
    perform(lending { $0.handle(event, of: task) })
  }

  /// The same for any other event.
  func feed(_ event: (inout SessionState) -> [SessionEffect]) {
    perform(lending(event))
  }

  /// The same for an event that has an answer, which is passed on before anything comes of the event.
  @discardableResult
  func feed<Answer, Fault>(
    _ event: (inout SessionState) throws(Fault) -> (Answer, [SessionEffect]),
    acknowledge: (Answer) -> Void = { _ in }
  ) throws(Fault) -> Answer {
    let (answer, effects) = try lending(event)
    acknowledge(answer)
    perform(effects)
    return answer
  }

  /// What the transport wants to know in the middle of its work: nothing of the transport's may follow from
  /// it.
  func ask<Answer>(_ question: (inout SessionState) -> Answer) -> Answer {
    defer { countKept() }
    return lending(question)
  }

  /// Something has happened, perhaps in the middle of the transport's work: what follows from it comes before
  /// what follows from any later event, at the end of the turn at the latest.
  func takeAndPutOff(_ event: (inout SessionState) -> [SessionEffect]) {
    if queue.isEmpty && !isPerforming { EventLoop.shared.atEndOfTurn { self.carryOutWhatWasPutOff() } }
    queue += lending(event)
  }

  /// Also some more of what follows for many tasks, if nothing else is to be done.
  func carryOutWhatWasPutOff() {
    let goesOn = queue.isEmpty && !isPerforming && state.isBehind
    perform(goesOn ? lending { $0.goOn() } : [])
  }

  /// Tells the session the moment of one event, and lends it the account's permanent credentials and
  /// identities for that, if there are any.
  private func lending<Result, Fault>(
    _ event: (inout SessionState) throws(Fault) -> Result
  ) throws(Fault) -> Result {
    catchUp()
    state.moment = Self.moment(in: environment)
    guard let account, state.lend(&account.holdings) else {
      return try event(&state)
    }
    defer {
      state.giveBack(&account.holdings)
      account.carryOutRequests()
    }
    return try event(&state)
  }

  // MARK: Settings

  /// - Parameter newEngine: for later tasks; nil when the settings of connections are the same.
  func configure(_ settings: SessionSettings, over newEngine: (any ExchangeEngine)?) {
    var settings = settings
    if !Self.isOfDaemon(uid) { settings.ambientOrigins = [] }
    if let newEngine {
      let running = tasks.values.lazy.filter { $0.engine === self.engine }.count
      engines.replace(with: newEngine, runningOnCurrent: running)
      engine.judge = self
    }
    feed { $0.configure(settings, userRoots: environment.userRoots(of: uid)) }
    countSettings()
  }

  /// An engine is most of a session's memory.
  private func countSettings() {
    charge.follow(engines.count * HeldBytes.session + configuration.heldBytes)
  }

  /// Of the current settings.
  var engine: any ExchangeEngine { engines.current }

  /// Cookies that only running tasks have: their setting has changed.
  var earlierCookies: [SessionCookies] { engines.earlierCookies }

  /// Those of earlier settings included.
  var openConnections: Int { engines.openConnections }

  // MARK: Holders

  /// Keeps what this session had in the previous daemon.
  func takeOver(
    _ contents: SessionContents, _ keys: [String: ClientIdentity], _ cookies: [CookieStore.Kept]
  ) {
    for key in keys.values { self.keys.store(key) }
    engine.cookies.takeOver(cookies)
    feed { state in
      state.takeOver(contents)
      return []
    }
    restIfUnused()
  }

  func register(_ peer: PeerIdentifier, interest: DelegateInterest?) {
    noteUse()
    feed { $0.register(peer, interest: interest) }
  }

  /// The connection has left the session or is gone.
  func remove(_ peer: PeerIdentifier) {
    owe(.remove(peer))
    carryOutWhatIsDue()
    restIfUnused()
  }

  /// Who holds it, without those whose leaving is due.
  private var holders: [PeerIdentifier] {
    state.board.roster.holders.filter { peer in !due.contains { $0.order == .remove(peer) } }
  }

  func restrict(by identifier: RestrictionIdentifier, _ restriction: Restriction) {
    catchUp()
    state.add(restriction, as: identifier)
  }

  // MARK: Tasks

  func start(_ task: TaskDriver) {
    noteUse()
    task.engine = engine
    tasks[task.identifier] = task
    environment.began(task)
    recent = task
    counters.fetchesStarted += 1
    task.begin()
  }

  func ended(_ task: TaskDriver, _ outcome: TaskOutcome) {
    counters.countTask(outcome.status, after: EventLoop.shared.now - task.began)
    // Answered first: with its last task a daemon that stops ends the connections.
    task.onFinish(task, outcome)
    noteUse()
    if tasks.removeValue(forKey: task.identifier) != nil, engines.release(task.engine) { countSettings() }
    if recent === task { recent = nil }
    negotiator.forget(task.identifier)
    feed { $0.remove(task.known) }
    if isFinishing && tasks.isEmpty { invalidate(.finished) }
    restIfUnused()
    environment.ended(task, outcome)
  }

  // MARK: Effects

  /// Carries out what follows from an event, after what follows from those before it. For thousands of tasks
  /// it does so in steps.
  private func perform(_ effects: [SessionEffect]) {
    if queue.isEmpty { queue = effects } else { queue += effects }
    guard !isPerforming else { return }
    isPerforming = true
    defer { countKept() }
    var next = 0
    while next < queue.count {
      perform(queue[next])
      next += 1
      if next % Self.effectsTogether == 0, next < queue.count, EventLoop.shared.isStepOver {
        queue.removeFirst(next)
        isPerforming = false
        return goOnLater()
      }
    }
    queue = []
    isPerforming = false
    scheduleBoard()
    if state.isBehind { goOnLater() }
  }

  /// Carried out without a look at the time.
  private static let effectsTogether = 64

  /// Whether something that follows from an event waits for the next step.
  var isBehind: Bool { !queue.isEmpty || state.isBehind }

  private func goOnLater() {
    guard !goesOn else { return }
    goesOn = true
    taker.add { [self] in
      goesOn = false
      carryOutWhatWasPutOff()
    }
  }

  func find(_ task: TaskIdentifier) -> TaskDriver? {
    if let recent, recent.identifier == task { return recent }
    recent = tasks[task]
    return recent
  }

  private func scheduleBoard() {
    let next = state.nextDeadline
    guard next != boardTimerAt else { return }
    boardTimer?.cancel()
    boardTimer = nil
    boardTimerAt = next
    guard let next, !isOver else { return }
    boardTimer = EventLoop.shared.schedule(after: max(0, next - EventLoop.shared.now)) { [self] in
      boardTimer = nil
      boardTimerAt = nil
      feed { $0.tick() }
    }
  }

  // MARK: End

  /// Takes no new task, and ends when the last one has.
  func finish() {
    isFinishing = true
    if tasks.isEmpty { invalidate(.finished) }
  }

  func invalidate(_ reason: SessionEnd) {
    guard !isOver else { return }
    isOver = true
    boardTimer?.cancel()
    idleTimer?.cancel()
    environment.sessionIsEnding(self, holders: holders)
    let tasks = Array(tasks.values)
    guard reason != .shutdown else {
      for task in tasks { task.stop(.interrupted) }
      return end(reason)
    }
    // There may be thousands, which would delay the other callers.
    EventLoop.shared.taker(of: uid).forEach(tasks[...], { $0.stop(.cancelled) }, then: { self.end(reason) })
  }

  private func end(_ reason: SessionEnd) {
    let holders = holders
    // It forgets everything now.
    due = []
    state.end()
    for reading in readings.values { _ = reading.abandon() }
    readings = [:]
    keys.releaseAll()
    engines.shutDown()
    charge.giveBack()
    keptCharge.giveBack()
    hasEnded = true
    environment.sessionEnded(self, reason, holders: holders)
  }
}
