internal import WatchwordCore
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordTransport

/// A session: one credential cache, its board of challenges, its connections, cookies and tasks.
///
/// The unit of isolation: nothing in here is reachable from another session. Runs the board's effects, in
/// the order in which they come, and never one inside another.
@ReactorActor
final class Session {
  let name: String
  /// Private sessions end with their one connection.
  let isNamed: Bool
  let uid: UInt32
  let configuration: SessionConfiguration
  let engine: any ExchangeEngine
  let counters: Counters

  var cache = CredentialCache()
  var trust = TrustLedger()
  var identities = IdentityLedger()
  /// The keys of `identities`, by their ids.
  var keys: [String: ClientIdentity] = [:]
  /// Keys that came for the waiting tasks only, by the ids of their identities.
  var lentKeys: [String: ClientIdentity] = [:]
  private(set) var board: ChallengeBoard
  private(set) var tasks: [TaskIdentifier: FetchTask] = [:]
  private(set) var isFinishing = false
  private(set) var isOver = false

  private let allowedOrigins: Set<Origin>?
  /// Of the configuration.
  private let charge: MemoryCharge
  /// The daemon, which lives as long as the process.
  unowned let environment: any SessionEnvironment
  private var effects: [ChallengeBoard.Effect] = []
  private var nextEffect = 0
  private var isDraining = false
  private var isGivingTurns = false
  private var boardTimer: LoopTimer?
  private var boardTimerAt = Double.infinity
  private var idleTimer: LoopTimer?

  init(
    name: String, isNamed: Bool, uid: UInt32, configuration: SessionConfiguration,
    charge: MemoryCharge, allowedOrigins: Set<Origin>?, engine: any ExchangeEngine,
    environment: any SessionEnvironment
  ) {
    self.charge = charge
    self.name = name
    self.isNamed = isNamed
    self.uid = uid
    self.configuration = configuration
    self.engine = engine
    self.environment = environment
    counters = environment.counters
    self.allowedOrigins = allowedOrigins
    board = ChallengeBoard(
      settings: configuration.challenges, makeIdentifier: Randomness.challengeIdentifier)
    engine.judge = self
  }

  var now: Double { EventLoop.shared.now }
  var wallClock: Double { Clock.wallSeconds() }

  /// Whether the configuration lets this origin be fetched, on the first hop and after redirects.
  func allows(_ origin: Origin) -> Bool { allowedOrigins?.contains(origin) ?? true }

  // MARK: Holders

  func register(_ peer: PeerIdentifier, interest: DelegateInterest?) {
    idleTimer?.cancel()
    idleTimer = nil
    perform(board.register(peer, interest: interest, now: now))
  }

  /// The connection has left the session or is gone; its tasks are cancelled unless they are detached.
  func remove(_ peer: PeerIdentifier) {
    for task in tasks.values where task.peer == peer && !task.order.isDetached { task.stop(.cancelled) }
    perform(board.remove(peer, now: now))
    restIfUnused()
  }

  /// Named sessions are for every process of their uid; a private one is for its connection only.
  func isVisible(to peer: PeerIdentifier, of uid: UInt32) -> Bool {
    isNamed ? uid == self.uid : board.roster.isHolder(peer)
  }

  /// Whether nobody would miss it: no holder, no task, no credential, decision, identity or cookie, no settings.
  var holdsNothing: Bool {
    board.roster.isEmpty && tasks.isEmpty && cache.count == 0 && trust.count == 0 && identities.count == 0
      && configuration == SessionConfiguration() && engine.cookies.isEmpty
  }

  // MARK: Tasks

  func start(_ task: FetchTask) {
    idleTimer?.cancel()
    idleTimer = nil
    tasks[task.identifier] = task
    counters.fetchesStarted += 1
    task.begin()
  }

  func ended(_ task: FetchTask) {
    tasks[task.identifier] = nil
    closeLanes(of: task)
    if isFinishing && tasks.isEmpty { invalidate(.finished) }
    restIfUnused()
  }

  // MARK: Challenges

  func ask(_ question: ChallengeQuestion, by task: FetchTask) {
    let refused = trialRefusals.removeValue(forKey: task.identifier)
    let raised = board.ask(question, by: task.waiter, refused: refused, now: now)
    if raised.isEmpty { counters.challengesCoalesced += 1 }
    perform(raised)
  }

  /// The task sends again without asking, or has its result: a refused trial of its is over for the board.
  func goesOn(_ task: FetchTask) {
    guard !trialRefusals.isEmpty, let refused = trialRefusals.removeValue(forKey: task.identifier) else {
      return
    }
    perform(board.leave(task.identifier, refused: refused, now: now))
  }

  /// The task neither waits nor tries any more.
  func left(_ task: FetchTask) {
    let refused = trialRefusals.removeValue(forKey: task.identifier)
    perform(board.leave(task.identifier, refused: refused, now: now))
    cache.turns.leave(task.identifier)
    giveTurns()
  }

  /// Tells the tasks whose requests wait for others, and those whose turn has come.
  func giveTurns() {
    guard !isGivingTurns else { return }
    isGivingTurns = true
    defer { isGivingTurns = false }
    while cache.turns.hasNews {
      for space in cache.turns.takeBegun() {
        for task in tasks.values { task.takeBack(from: space) }
      }
      for identifier in cache.turns.takeGranted() {
        if let task = tasks[identifier] { task.turnCame() } else { cache.turns.leave(identifier) }
      }
    }
  }

  /// What the server said of a credential on trial.
  func report(_ report: AuthenticationStateMachine.TrialReport, by task: FetchTask) {
    switch report {
    case .accepted(let credential, let space, let authenticator, let scope):
      if credential.persistence != .none {
        // Whose it is decides the limit `confirm`: theirs who gave it, not theirs who tried it first.
        let owner = board.answerer(ofTrialBy: task.identifier).flatMap { environment.process(of: $0) }
        cache.store(
          credential, for: space, authenticator: authenticator, scope: scope, owner: owner, now: now)
        announceCredentialChanges()
      }
      perform(board.accepted(task.identifier, now: now))
    case .refused(let kind):
      // Told to the board with what the task does next: ask again, or end.
      trialRefusals[task.identifier] = kind
    case .inconclusive:
      perform(board.leave(task.identifier, now: now))
    }
  }

  /// A server offers less than it did before.
  func note(_ weaker: WeakerOffer, by task: FetchTask) {
    counters.challengesDowngraded += 1
    if weaker.isNews { environment.warn(of: weaker, met: task, in: self) }
  }

  private var trialRefusals: [TaskIdentifier: Credential.Kind] = [:]

  /// Takes an answer; the effects are the caller's to `perform` once it has acknowledged it.
  func accept(
    _ identifier: String, by peer: PeerIdentifier, _ disposition: Disposition, _ credential: Credential?
  ) throws(ChallengeBoard.ReplyFault) -> [ChallengeBoard.Effect] {
    if disposition == .useCredential, let rule = ruleAgainstTrust(in: identifier) {
      throw .notAllowed(rule: rule)
    }
    let effects = try board.reply(
      identifier, by: peer, disposition, credential, lastTask: environment.lastTask, now: now)
    counters.countAnswer(disposition)
    return effects
  }

  func perform(_ new: [ChallengeBoard.Effect]) {
    effects += new
    guard !isDraining else { return }
    isDraining = true
    while nextEffect < effects.count {
      let effect = effects[nextEffect]
      nextEffect += 1
      perform(effect)
    }
    effects.removeAll(keepingCapacity: effects.count <= 64)
    nextEffect = 0
    isDraining = false
    scheduleBoard()
  }

  private func perform(_ effect: ChallengeBoard.Effect) {
    switch effect {
    case .notify(let peer, let identifier):
      guard let challenge = board.challenge(identifier) else { return }
      if challenge.asked.count == 1 { counters.countRaised(challenge.question.space.authenticationMethod) }
      environment.notify(peer, of: challenge, in: self)
    case .settled(let identifier, let outcome, let disposition, let asked):
      counters.countSettled(outcome)
      environment.notifySettled(identifier, outcome, disposition, to: asked, in: self)
    case .decided(let decision): keep(decision)
    case .resume(let identifier, let verdict):
      tasks[identifier]?.answered(verdict)
    }
  }

  private func scheduleBoard() {
    let next = board.nextDeadline ?? .infinity
    guard next != boardTimerAt else { return }
    boardTimer?.cancel()
    boardTimer = nil
    boardTimerAt = next
    guard next < .infinity else { return }
    boardTimer = EventLoop.shared.schedule(after: max(0, next - now)) { [weak self] in
      guard let self else { return }
      boardTimer = nil
      boardTimerAt = .infinity
      perform(board.tick(now: now))
    }
  }

  // MARK: Credentials

  func announceCredentialChanges() {
    guard !cache.changes.isEmpty else { return }
    for (key, change) in cache.takeChanges() {
      environment.notifyCredentialChange(key, change, to: board.roster.holders, in: self)
    }
  }

  /// Limits are checked on listing as well as on use.
  func forgetExpiredCredentials() {
    cache.removeExpired(now: now, wallClock: wallClock)
    announceCredentialChanges()
  }

  // MARK: End

  /// Forgets cookies, credentials and trust; tasks go on. What is permanent is not the session's to forget.
  func reset() {
    cache.removeAll()
    announceCredentialChanges()
    _ = trust.remove(identifier: nil, origin: nil)
    identities.removeAll()
    keys.removeAll()
    _ = engine.cookies.remove(domain: nil, name: nil)
    engine.closeIdleConnections(startingAnew: true)
  }

  /// Takes no new task, and ends when the last one has.
  func finish() {
    isFinishing = true
    if tasks.isEmpty { invalidate(.finished) }
  }

  func invalidate(_ reason: SessionDidInvalidate.Reason) {
    guard !isOver else { return }
    isOver = true
    for task in tasks.values { task.stop(.cancelled) }
    boardTimer?.cancel()
    idleTimer?.cancel()
    cache.removeAll()
    identities.removeAll()
    keys.removeAll()
    lentKeys.removeAll()
    let holders = board.roster.holders
    engine.shutDown()
    // A kept result may hold on to the session for a while.
    charge.giveBack()
    environment.sessionEnded(self, reason, holders: holders)
  }

  private func restIfUnused() {
    guard !isOver, board.roster.isEmpty, tasks.isEmpty else { return }
    guard isNamed else { return invalidate(.finished) }
    idleTimer?.cancel()
    idleTimer = EventLoop.shared.schedule(after: configuration.idleSeconds) { [weak self] in
      self?.invalidate(.idle)
    }
  }
}
