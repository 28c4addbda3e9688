internal import WatchwordCore
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordTransport
internal import WatchwordVocabulary

/// The driver of one task: runs the exchanges that its session wants, and moves the bytes.
///
/// What a response means and what is sent next are the session's; what the output and the checks of the body
/// make of the outcome is settled here. Lives in its session until the outcome has been given to `onFinish`.
@ReactorActor
final class TaskDriver {
  let order: Order
  var identifier: TaskIdentifier { known.identifier }
  /// When it was made.
  let began = EventLoop.shared.now
  var observers = Observers()
  /// Nil when the caller has not asked for them.
  var metrics: TaskMetrics?
  private(set) var bytesReceived: Int64 = 0

  /// The task as the session's state knows it.
  let known: SessionTask
  var peer: PeerIdentifier? { known.peer }
  let session: SessionDriver
  /// Of the settings that the session had when the task began.
  var engine: (any ExchangeEngine)?
  let onFinish: @ReactorActor (TaskDriver, TaskOutcome) -> Void
  var exchange: (any Exchange)?
  /// Of the body that comes; each head is followed by another.
  var fate = TaskStateMachine.BodyFate.wait
  /// Whether the exchange waits for the fate of its body.
  var isHeldUp = false
  var held: HeldBody
  /// The result's body is the beginning of what the server sent.
  private var isTruncated = false
  private lazy var pages = PageReader(session.uid, order.charge)
  /// What the running exchange asks for, which need not be the task's own request.
  var request: ExchangeRequest?
  var check = BodyCheck()
  /// The last handshake was stopped for a question: what is sent next is the same exchange.
  var beginsAgain = false
  /// Nil: it has those of the session.
  let cookies: TaskCookies?
  /// Of the last response's head, of what is read from it, and of the questions of handshakes.
  private let headCharge: MemoryCharge
  private var clock: ResourceClock
  private var outcome: TaskOutcome?
  /// Nothing more comes, and the output is waited for, or not any more.
  private var isSettling = false

  init(
    _ request: TaskRequest, _ order: Order, in session: SessionDriver,
    onFinish: @escaping @ReactorActor (TaskDriver, TaskOutcome) -> Void
  ) {
    self.session = session
    self.onFinish = onFinish
    metrics = order.reportsMetrics ? TaskMetrics() : nil
    cookies =
      order.hasOwnCookies
      ? TaskCookies(policy: session.configuration.cookies, charge: order.charge.another()) : nil
    headCharge = order.charge.another()
    held = HeldBody(order.charge.another())
    clock = ResourceClock(seconds: order.resourceSeconds)
    known = session.ask { $0.add(request) }
    self.order = order
  }

  var state: State {
    if outcome != nil { return .finished }
    if known.isHeld { return .waiting }
    switch known.machine.phase {
    case .asking, .askingInHandshake, .askingRedirect: return .waiting
    case .ready, .readingBody, .readingPage, .awaitingTurn, .makingToken, .verifying, .exchanging, .receiving,
      .finished:
      return known.isSuspended ? .suspended : .running
    }
  }

  var url: RequestURL { known.machine.currentStep.url }
  var name: TaskName { TaskName(uid: session.uid, text: order.name) }
  /// Whether its request has no connection yet.
  var isUnsent: Bool { exchange?.isUnsent ?? false }

  // MARK: From the caller

  func begin() {
    metrics?.begin(EventLoop.shared.now)
    // Both end with the task. Weak references would make every retain of the task slower.
    clock.start { self.stop(.transport(.timedOut(.resource))) }
    order.output.onDrained = { self.outputDrained() }
    session.feed(.begin, to: known)
  }

  /// Ends it, even when there is nothing left to be done but for its output to be written.
  func stop(_ failure: TaskFailure) {
    cancelExchange()
    session.feed { $0.stop(known, failure) }
    abandon(failure)
  }

  func suspend() {
    guard !known.isSuspended else { return }
    clock.pause(.suspended)
    exchange?.pause()
    session.feed { $0.suspend(known) }
    // It sends nothing: a request that has no connection yet begins again after `task/resume`.
    takeBack()
  }

  func resume() {
    guard known.isSuspended else { return }
    clock.resume(.suspended)
    held.goOn()
    let paused = exchange
    session.feed { $0.resume(known) }
    paused?.resume()
  }

  func redirectAnswered(_ step: RequestStep?) {
    session.feed(.redirectAnswered(step), to: known)
  }

  // MARK: From the session

  func perform(_ effect: TaskEffect) {
    switch effect {
    case .readBody: readBody()
    case .negotiate(let step): negotiate(step)
    case .body(let fate): body(fate)
    case .readPage: readPage(held.bytes, isWhole: !held.isCut)
    case .takeBack: takeBack()
    case .beginWait: beginWait()
    case .endWait: endWait()
    case .askRedirect(let step, let response): observers.willRedirect?(self, step, response)
    case .redirected(let record, let response): observers.redirect?(self, record, response)
    case .passed(let head): observers.passed?(self, head)
    case .deliverHeld(let isWhole): deliverHeld(isWhole: isWhole)
    case .finish(let failure): finish(failure)
    case .stop(let failure): abandon(failure)
    }
  }

  func send(_ request: ExchangeRequest, over partition: ConnectionPartition, isAskedForIdentities: Bool) {
    guard !isSettling else { return }
    held.begin()
    check = BodyCheck()
    isHeldUp = false
    self.request = request
    let body = request.form.map { .secret($0) } ?? (request.sendsBody ? order.body.exchangeBody() : .none)
    if !beginsAgain { session.counters.exchanges += 1 }
    if known.machine.isPreemptive { session.counters.preemptive += 1 }
    exchange = (engine ?? session.engine).start(
      request,
      ExchangeSetup(
        body: body, settings: known.request.exchanges, partition: partition,
        isAskedForIdentities: isAskedForIdentities), delegate: self)
  }

  private func readBody() {
    order.body.hash(for: session.uid) { [weak self] body in
      guard let self, outcome == nil else { return }
      order.body.keepHash(body)
      session.feed(.bodyRead, to: known)
    }
  }

  private func negotiate(_ step: NegotiationStep) {
    session.negotiator.step(step, for: identifier, files: session.environment.kerberosFiles) {
      [weak self] outcome in
      guard let self, self.outcome == nil else { return }
      if case .established(let mechanism) = outcome, exchange == nil { metrics?.note(mechanism) }
      session.feed(.negotiated(outcome), to: known)
    }
  }

  private func body(_ fate: TaskStateMachine.BodyFate) {
    let hasWaited = self.fate.isDecidedLater
    self.fate = fate
    guard hasWaited else { return }
    takeHead()
    deliverPage()
    guard isHeldUp, !known.isSuspended else { return }
    isHeldUp = false
    exchange?.resume()
  }

  /// The response has a meaning now. A refused CONNECT leaves no head.
  private func takeHead() {
    guard outcome == nil else { return }
    countHead()
    switch fate {
    case .deliver: if let head = known.machine.head, let failure = begin(head) { stop(failure) }
    case .hold:
      if let head = known.machine.head { beginCheck(head) }
      limitRest()
    case .discard: limitRest()
    case .wait, .read: break
    }
  }

  /// Of a refusal that stays open, nothing more is waited for (challenges.md 4.6). A connection that is being
  /// authenticated is kept for longer: without it, all of that would begin again.
  func limitRest() {
    let quiet = request?.binding == nil ? HeldBody.quietSeconds : HeldBody.readSeconds
    exchange?.limitRest(seconds: held.secondsLeft(at: EventLoop.shared.now, quiet: quiet))
  }

  /// The page that a parser has had is the result: what there is of it goes out before the rest.
  private func deliverPage() {
    guard fate == .deliver, outcome == nil, !held.bytes.isEmpty else { return }
    deliverHeldBytes()
    held.begin()
  }

  private func readPage(_ bytes: [UInt8], isWhole: Bool) {
    guard case .read(let question) = fate, !pages.isReading else { return }
    let page = PageReader.Page(
      bytes: bytes, copiedBytes: bytes.count > held.bytes.count ? bytes.count : 0, isWhole: isWhole,
      type: known.machine.head?.headers.first("content-type"),
      codings: known.request.exchanges.decodesContent
        ? [] : known.machine.head?.headers.values(of: "content-encoding") ?? [])
    pages.read(page, question) { [weak self] reading in
      guard let self, outcome == nil else { return }
      session.feed(.pageRead(reading), to: known)
    }
  }

  /// Takes what the parser wants to see; the transfer waits when that is enough.
  func holdPage(_ bytes: UnsafeRawBufferPointer) -> BodyAnswer {
    guard !pages.isReading else { return .pause }
    if held.hold(bytes) { return .taken }
    readPage(held.bytes + bytes.prefix(HeldBody.capacity - held.bytes.count), isWhole: false)
    return .pause
  }

  /// Requests with a nonce of the space go one at a time from now on, this one too if it has no connection
  /// yet.
  func takeBack() {
    guard isUnsent else { return }
    cancelExchange()
    beginsAgain = true
    session.feed(.takenBack, to: known)
  }

  private func beginWait() {
    // The question has the offers of the head beside it.
    countHead(copies: 3)
    metrics?.beginWait(EventLoop.shared.now)
    clock.pause(.asking)
  }

  private func endWait() {
    countHead()
    metrics?.endWait(EventLoop.shared.now)
    clock.resume(.asking)
  }

  private func countHead(copies: Int = 1) {
    headCharge.follow(copies * (known.machine.head?.heldBytes ?? 0) + known.machine.questionBytes)
  }

  private func deliverHeld(isWhole: Bool) {
    isTruncated = !isWhole || held.isCut
    if isTruncated { check.endIntegrity() }
    if let head = known.machine.head, let failure = begin(head) { return finish(failure) }
    deliverHeldBytes()
  }

  private func deliverHeldBytes() {
    _ = held.takeBytes().withUnsafeBytes { deliver($0, mayWait: false) }
  }

  /// The task ends at once, whatever its output waits for.
  func abandon(_ failure: TaskFailure) {
    isSettling = true
    finish(failure)
  }

  func finish(_ failure: TaskFailure?) {
    guard outcome == nil else { return }
    cancelExchange()
    guard failure == nil, let head = known.machine.head else {
      let outcome = TaskOutcome.failure(failure ?? .transport(.malformedResponse))
      if isSettling {
        order.output.abandon()
        return conclude(outcome)
      }
      isSettling = true
      return order.output.abandonGently { [self] in conclude(outcome) }
    }
    // What could not be delivered has failed.
    guard !isSettling else { return }
    isSettling = true
    order.output.finish { [self] result in
      switch result {
      case .success(let body):
        guard let hashing = order.output.hashing(check.algorithmsOfFile) else {
          return conclude(body, of: head, file: nil)
        }
        // Nothing says success before the body is known to be the expected one.
        hashing.run { [self] in conclude(body, of: head, file: $0) }
      case .failure(let fault): conclude(.failure(TaskFailure(fault)))
      }
    }
  }

  private func conclude(_ body: TaskBody, of head: ResponseHead, file: [IntegrityAlgorithm: HashValue]?) {
    let verdict = check.verdict(file: file)
    session.counters.count(verdict)
    if case .mismatch(let fault) = verdict {
      return conclude(.failure(.digestMismatch(fault)))
    }
    conclude(
      .success(
        TaskResult(head: head, body: body, isTruncated: isTruncated, isVerified: verdict == .verified)))
  }

  private func conclude(_ outcome: TaskOutcome) {
    guard self.outcome == nil else { return }
    self.outcome = outcome
    clock.stop()
    // The loop's own time is that of the turn's beginning, before what libcurl has measured in it.
    metrics?.end(EventLoop.monotonicSeconds())
    order.output.onDrained = nil
    session.ended(self, outcome)
  }

  private func cancelExchange() {
    exchange?.cancel()
    exchange = nil
  }

  // MARK: Bytes

  /// The response with this head is the result; why its body has no place, if it has none.
  private func begin(_ head: ResponseHead) -> TaskFailure? {
    if let failure = known.failure(delivering: head) { return failure }
    observers.response?(self, head, url)
    // Nothing is expected of a login page, and a file that is continued stays as it is.
    guard !known.machine.isLoginPage else {
      check.endIntegrity()
      return nil
    }
    if let fault = order.output.begin(head) { return TaskFailure(fault) }
    beginCheck(head)
    return nil
  }

  private func beginCheck(_ head: ResponseHead) {
    check.beginIntegrity(
      head, to: known.machine.currentStep.method, caller: order.digests,
      continuation: order.output.continuation)
  }

  func deliver(_ bytes: UnsafeRawBufferPointer, mayWait: Bool = true) -> BodyAnswer {
    if bytes.isEmpty { return .taken }
    if let failure = known.failure(delivering: bytesReceived + Int64(bytes.count)) {
      stop(failure)
      return .taken
    }
    switch order.output.write(bytes, mayWait: mayWait) {
    case .taken:
      bytesReceived += Int64(bytes.count)
      check.delivered(bytes)
      return .taken
    case .full: return .pause
    case .failed(let fault): stop(TaskFailure(fault))
    }
    return .taken
  }

  private func outputDrained() { if !known.isSuspended { exchange?.resume() } }
}
