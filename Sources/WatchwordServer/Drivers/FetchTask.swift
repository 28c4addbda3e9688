internal import WatchwordCore
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordSecret
internal import WatchwordTransport

/// The driver of one task: feeds its state machine, runs the exchanges it asks for, and moves the bytes.
///
/// Decides nothing. Lives in its session until the outcome has been given to `onFinish`.
@ReactorActor
final class FetchTask {
  private struct ExchangeEnd { let error: TransportError? }

  enum State: String {
    case running
    case suspended
    case waiting
    case finished
  }

  let identifier: TaskIdentifier
  let order: Order
  let peer: PeerIdentifier?
  let process: Int32?
  var observers = Observers()
  private(set) var metrics = TaskMetrics()
  private(set) var bytesReceived: Int64 = 0

  private(set) var machine: TaskStateMachine
  /// Kept alive by `onFinish`, which holds it.
  unowned let session: Session
  private let onFinish: @ReactorActor (FetchTask, TaskOutcome) -> Void
  private var exchange: (any Exchange)?
  private var fate = TaskStateMachine.BodyFate.deliver
  private var held = HeldBody()
  /// The result's body is the beginning of what the server sent.
  private var isTruncated = false
  /// Of the response's body, while something depends on it.
  private var bodyHash: Hash?
  /// The last handshake was stopped for a question: what is sent next is the same exchange.
  private var beginsAgain = false
  private var isSuspended = false
  /// How the exchange ended, while what that means waits for `task/resume`.
  private var pendingEnd: ExchangeEnd?
  private let clock: ResourceClock
  private var outcome: TaskOutcome?
  /// Nothing more comes, and the output is waited for, or not any more.
  private var isSettling = false

  init(
    _ identifier: TaskIdentifier, _ order: Order, in session: Session, peer: PeerIdentifier?, process: Int32?,
    onFinish: @escaping @ReactorActor (FetchTask, TaskOutcome) -> Void
  ) {
    self.identifier = identifier
    self.order = order
    self.session = session
    self.peer = peer
    self.process = process
    self.onFinish = onFinish
    clock = ResourceClock(seconds: order.resourceSeconds)
    let configuration = session.configuration
    var redirects = configuration.redirects
    if !order.followsRedirects { redirects.mode = .manual }
    machine = TaskStateMachine(
      request: RedirectHop(
        url: order.url, method: order.method,
        headers: CallerFields.merged(task: order.headers, session: configuration.headers, for: order.url),
        sensitiveNames: order.sensitiveHeaders, body: order.body.hop),
      authentication: AuthenticationStateMachine(
        policy: configuration.methods, refusalBudget: configuration.challenges.refusalBudget),
      redirectPolicy: redirects)
  }

  var state: State {
    if outcome != nil { return .finished }
    switch machine.phase {
    case .asking, .askingRedirect: return .waiting
    case .ready, .readingBody, .awaitingTurn, .exchanging, .receiving, .finished:
      return isSuspended ? .suspended : .running
    }
  }

  var url: RequestURL { machine.hop.url }
  var redirects: [TaskStateMachine.RedirectRecord] { machine.redirects }
  var name: TaskName { TaskName(uid: session.uid, text: order.name) }
  var waiter: ChallengeWaiter { ChallengeWaiter(task: identifier, peer: peer) }

  // MARK: From the caller

  func begin() {
    metrics.begin(session.now)
    clock.start { [weak self] in self?.stop(.transport(.timedOut(.resource))) }
    order.output.onDrained = { [weak self] in self?.outputDrained() }
    let effects = machine.begin(context, cache: &session.cache)
    run(effects)
  }

  /// Ends it, even when there is nothing left to be done but for its output to be written.
  func stop(_ failure: TaskFailure) {
    isSettling = true
    run(machine.stop(failure))
    finish(failure)
  }

  func suspend() {
    guard !isSuspended else { return }
    isSuspended = true
    clock.pause(.suspended)
    exchange?.pause()
    machine.suspended(cache: &session.cache)
    session.giveTurns()
  }

  func resume() {
    guard isSuspended else { return }
    isSuspended = false
    clock.resume(.suspended)
    if let end = pendingEnd {
      pendingEnd = nil
      return exchangeEnded(end.error)
    }
    exchange?.resume()
  }

  func redirectAnswered(_ request: RedirectedRequest?) {
    endWait()
    let effects = machine.redirectAnswered(request, context, cache: &session.cache)
    run(effects)
  }

  /// What has not been sent yet is bound by the administrator's new rules.
  func policyChanged() {
    guard exchange?.isUnsent ?? false, let rule = ruleAgainstCleartext(to: url.origin) else { return }
    stop(.policyRefused(rule: rule))
  }

  private func ruleAgainstCleartext(to origin: Origin) -> String? {
    origin.isSecure ? nil : session.policy.ruleAgainstCleartext(to: origin.host)
  }

  // MARK: From the board

  func answered(_ verdict: ChallengeVerdict) {
    endWait()
    let effects = machine.answered(verdict, context, cache: &session.cache)
    run(effects)
  }

  // MARK: From the session

  func turnCame() {
    let effects = machine.turnCame(context, cache: &session.cache)
    run(effects)
  }

  /// Requests with a nonce of this space go one at a time from now on, this one too if it has no connection yet.
  func takeBack(from space: ProtectionSpace) {
    guard let exchange, exchange.isUnsent, machine.sharesNonce(of: space) else { return }
    exchange.cancel()
    self.exchange = nil
    beginsAgain = true
    let effects = machine.takenBack(context, cache: &session.cache)
    run(effects)
  }

  // MARK: Effects

  private func run(_ effects: [TaskStateMachine.Effect]) {
    perform(effects)
    session.giveTurns()
  }

  private func perform(_ effects: [TaskStateMachine.Effect]) {
    session.announceCredentialChanges()
    for effect in effects {
      switch effect {
      case .send(let request): send(request)
      case .readBody: readBody()
      case .body(let fate): self.fate = fate
      case .ask(let question): ask(question)
      case .askRedirect(let request, let response):
        beginWait()
        observers.willRedirect?(request, response)
      case .warn(let weaker): session.note(weaker, by: self)
      case .report(let report): session.report(report, by: self)
      case .redirected(let record): observers.redirect?(record)
      case .deliverHeld(let isWhole): deliverHeld(isWhole: isWhole)
      case .finish(let failure): finish(failure)
      }
    }
  }

  private func send(_ hop: TaskStateMachine.HopRequest) {
    held = HeldBody()
    fate = .deliver
    session.goesOn(self)
    guard session.allows(hop.url.origin) else { return run(machine.stop(.transport(.addressRefused))) }
    if let rule = ruleAgainstCleartext(to: hop.url.origin) {
      return run(machine.stop(.policyRefused(rule: rule)))
    }
    guard hop.sendsBody == false || order.body.canBeSentNow else {
      return run(machine.stop(.transport(.bodyNotReplayable)))
    }
    var request = ExchangeRequest(
      url: hop.url, method: hop.method, headers: hop.headers, authorization: hop.authorization,
      body: hop.sendsBody ? order.body.exchangeBody() : .none, timeouts: order.timeouts,
      decodesContent: order.decodesContent)
    request.isAuthorizedLate = hop.isAuthorizedLate
    request.priority = order.priority
    request.requiresHTTP1 = hop.repetition.requiresHTTP1
    request.omitsExpect = hop.repetition.omitsExpect
    request.requiresNewConnection = hop.repetition.requiresNewConnection
    request.lane = session.lane(for: self, to: hop.url.origin)
    request.isAskedForIdentities = hop.url.origin.isSecure && session.isAskedForIdentities(self)
    if !beginsAgain { session.counters.exchanges += 1 }
    if machine.isPreemptive { session.counters.preemptive += 1 }
    exchange = session.engine.start(request, delegate: self)
    guard isSuspended else { return }
    exchange?.pause()
    machine.suspended(cache: &session.cache)
  }

  private func readBody() {
    BlockingPool.shared.submit(order.body.hashing) { [weak self] body in
      guard let self, outcome == nil else { return }
      order.body.take(body)
      let effects = machine.bodyRead(context, cache: &session.cache)
      run(effects)
    }
  }

  private func ask(_ question: ChallengeQuestion) {
    beginWait()
    session.ask(question, by: self)
  }

  private func beginWait() {
    metrics.beginWait(session.now)
    clock.pause(.asking)
  }

  private func endWait() {
    metrics.endWait(session.now)
    clock.resume(.asking)
  }

  private func deliverHeld(isWhole: Bool) {
    isTruncated = !isWhole || held.isCut
    if let head = machine.head, let failure = begin(head) { return finish(failure) }
    _ = held.bytes.withUnsafeBytes { deliver($0, mayWait: false) }
  }

  private func finish(_ failure: TaskFailure?) {
    guard outcome == nil else { return }
    exchange?.cancel()
    exchange = nil
    session.left(self)
    guard failure == nil, let head = machine.head else {
      let outcome = TaskOutcome.failure(failure ?? .transport(.malformedResponse))
      // Whoever stops it does not wait for what it waits for.
      if isSettling {
        order.output.abandon()
        return conclude(outcome)
      }
      isSettling = true
      return order.output.abandonGently { [self] in conclude(outcome) }
    }
    isSettling = true
    order.output.finish { [self] result in
      switch result {
      case .success(let body):
        conclude(
          .success(
            TaskResult(url: url, head: head, body: body, isTruncated: isTruncated, redirects: redirects)))
      case .failure(let fault): conclude(.failure(TaskFailure(fault)))
      }
    }
  }

  private func conclude(_ outcome: TaskOutcome) {
    guard self.outcome == nil else { return }
    self.outcome = outcome
    clock.stop()
    // The loop's own time is that of the turn's beginning, before what libcurl has measured in it.
    metrics.end(EventLoop.monotonicSeconds())
    order.output.onDrained = nil
    onFinish(self, outcome)
  }

  // MARK: Bytes

  /// The response with this head is the result; why its body has no place, if it has none.
  private func begin(_ head: ResponseHead) -> TaskFailure? {
    observers.response?(head, url)
    return order.output.begin(head).map(TaskFailure.init)
  }

  private func deliver(_ bytes: UnsafeRawBufferPointer, mayWait: Bool = true) -> BodyAnswer {
    if bytes.isEmpty { return .taken }
    switch order.output.write(bytes, mayWait: mayWait) {
    case .taken:
      bytesReceived += Int64(bytes.count)
      return .taken
    case .full: return .pause
    case .failed(let fault): stop(TaskFailure(fault))
    }
    return .taken
  }

  private func outputDrained() {
    if !isSuspended { exchange?.resume() }
  }

  private func exchangeEnded(_ error: TransportError?) {
    exchange = nil
    var body = DigestBody.unknown
    if var hash = bodyHash.take() { body = .hashed(hash.finish()) }
    let effects = machine.exchangeFinished(error, body: body, context, cache: &session.cache)
    run(effects)
  }

  private var context: TaskStateMachine.Context {
    TaskStateMachine.Context(
      task: identifier, now: session.now, wallClock: session.wallClock, process: process,
      clientNonce: Randomness.clientNonce,
      body: { [order] in order.body.digestBody($0) },
      canAsk: { [session, waiter] space, isShared in
        session.board.canAsk(about: space, for: waiter, isShared: isShared, now: session.now)
      }, resolve: RedirectTarget.init)
  }
}

extension FetchTask: ExchangeDelegate {
  func authorization(for exchange: any Exchange) -> Secret? {
    let value = machine.authorization(context, cache: &session.cache)
    if machine.isPreemptive { session.counters.preemptive += 1 }
    return value
  }

  func exchange(_ exchange: any Exchange, didReceive head: ResponseHead) {
    let effects = machine.received(head, context, cache: &session.cache)
    if let algorithm = machine.responseHash { bodyHash = Hash(algorithm) } else { bodyHash = nil }
    if isSuspended { machine.suspended(cache: &session.cache) }
    run(effects)
    guard outcome == nil else { return }
    switch fate {
    case .deliver:
      // Its body may take long: those who wait for the outcome of a trial hear of it now.
      session.goesOn(self)
      if let failure = begin(head) { stop(failure) }
    case .hold, .discard: exchange.limitRest(seconds: HeldBody.readSeconds)
    }
  }

  func exchange(_ exchange: any Exchange, didReceive bytes: UnsafeRawBufferPointer) -> BodyAnswer {
    let answer =
      switch fate {
      case .deliver: deliver(bytes)
      case .hold: held.take(bytes, isKept: true)
      case .discard: held.take(bytes, isKept: false)
      }
    // The hash of a part says nothing.
    if answer == .enough { bodyHash = nil }
    return answer
  }

  func exchange(_ exchange: any Exchange, didTake content: UnsafeRawBufferPointer) {
    bodyHash?.update(content)
  }

  func exchange(_ exchange: any Exchange, didSendBody total: Int64) {
    if total > 0 { order.body.noteTaken() }
    observers.sentBody?(total, order.body.size)
  }

  func exchange(_ exchange: any Exchange, didFinish error: TransportError?, metrics: ExchangeMetrics) {
    beginsAgain = error?.isQuestion ?? false
    // A server that refuses a client certificate on TLS 1.3 has been sent the request by then.
    if !beginsAgain || metrics.bytesSent > 0 {
      self.metrics.add(
        metrics, url: url, status: machine.head?.status ?? 0, method: machine.methodInUse)
    }
    session.counters.count(metrics)
    if isSuspended { pendingEnd = ExchangeEnd(error: error) } else { exchangeEnded(error) }
  }
}
