import WatchwordVocabulary

@testable import WatchwordCore

/// A session with numbered peers and tasks, and what it wants done after the last event.
struct SessionScene: ~Copyable {
  var state: SessionState
  var now = 0.0 { didSet { tellMoment() } }
  var policy = TrustPolicy() { didSet { tellMoment() } }
  /// After the last event.
  private(set) var effects: [SessionEffect] = []
  private var lastTask: UInt64 = 0 { didSet { tellMoment() } }

  private final class Counter: @unchecked Sendable {
    /// Used by one test on one thread.
    private var count = 0
    func next() -> String {
      count += 1
      return "c\(count)"
    }
  }

  /// - Parameter servedTogether: how many tasks or challenges an event serves.
  init(
    _ configuration: SessionConfiguration = SessionConfiguration(), allowedOrigins: Set<Origin>? = nil,
    servedTogether: Int = 64
  ) {
    let counter = Counter()
    state = SessionState(
      configuration: configuration, allowedOrigins: allowedOrigins,
      surroundings: SessionSurroundings(
        challengeIdentifier: { counter.next() }, clientNonce: { "n" },
        resolve: { location, _ in .resolved(TaskScene.url("/n", host: location)) },
        process: { BoardScene.process($0.number) }, servedTogether: servedTogether),
      moment: Self.moment(now: 0))
  }

  static func moment(now: Double, lastTask: UInt64 = 0, policy: TrustPolicy = TrustPolicy()) -> SessionMoment
  {
    SessionMoment(now: now, wallClock: 1_000_000 + now, lastTask: TaskIdentifier(lastTask), policy: policy)
  }

  private mutating func tellMoment() {
    state.moment = Self.moment(now: now, lastTask: lastTask, policy: policy)
  }

  // MARK: Events

  /// A task that has not begun.
  mutating func add(
    of peer: UInt64? = 1, _ url: RequestURL = TaskScene.url(), headers: [HeaderField] = [],
    body: RequestStep.Body = .none, isDetached: Bool = false, traceContext: TraceContext? = nil
  ) -> SessionTask {
    lastTask += 1
    var request = TaskRequest(
      identifier: TaskIdentifier(lastTask),
      firstStep: RequestStep(url: url, method: "GET", headers: headers, body: body))
    request.peer = peer.map { PeerIdentifier($0) }
    request.process = peer.map(BoardScene.process)
    request.isDetached = isDetached
    request.traceContext = traceContext
    return state.add(request)
  }

  mutating func begin(
    of peer: UInt64? = 1, _ url: RequestURL = TaskScene.url(), headers: [HeaderField] = [],
    body: RequestStep.Body = .none, isDetached: Bool = false, traceContext: TraceContext? = nil
  ) -> SessionTask {
    let task = add(
      of: peer, url, headers: headers, body: body, isDetached: isDetached, traceContext: traceContext)
    take { $0.handle(.begin, of: task) }
    return task
  }

  mutating func take(_ event: (inout SessionState) -> [SessionEffect]) {
    effects = event(&state)
  }

  mutating func delegate(_ peer: UInt64, _ methods: Set<AuthenticationMethod> = [.basic, .serverTrust]) {
    let interest = DelegateInterest(tasks: .only(methods), session: .only(methods))
    take { $0.register(PeerIdentifier(peer), interest: interest) }
  }

  /// The request goes onto its connection, and the whole response arrives, its head first.
  mutating func respond(_ status: Int, _ fields: [HeaderField] = [], to task: SessionTask) {
    _ = state.authorization(of: task)
    var all = state.handle(.received(ResponseHead(status: status, headers: fields)), of: task)
    all += state.handle(.exchangeEnded(nil, body: .empty), of: task)
    effects = all
  }

  mutating func refuse(_ challenge: String = TaskScene.basic(), _ task: SessionTask) {
    respond(401, [HeaderField("WWW-Authenticate", challenge)], to: task)
  }

  mutating func reply(
    _ challenge: String, by peer: UInt64 = 1, _ disposition: Disposition = .useCredential,
    _ credential: Credential? = nil, because: String? = nil
  ) throws(ChallengeBoard.ReplyFault) {
    (_, effects) = try state.reply(
      challenge, by: PeerIdentifier(peer), .disposition(disposition, credential), because: because)
  }

  // MARK: What came of it

  var isBehind: Bool { state.isBehind }
  var nextDeadline: Double? { state.nextDeadline }

  /// The `Authorization` values of what is sent, in order; nil for none.
  var authorizations: [String?] {
    effects.compactMap { effect -> String?? in
      guard case .send(_, let hop, _, _) = effect else { return nil }
      return .some(hop.authorization.map { $0.withBytes { String(decoding: $0, as: UTF8.self) } })
    }
  }

  /// The challenges that were notified, with whom they were notified to.
  var notices: [String] {
    effects.compactMap { effect in
      if case .notify(let peer, let challenge) = effect {
        "\(challenge.identifier) to \(peer.number)"
      } else {
        nil
      }
    }
  }

  /// The effects by name, in order, without what is recorded.
  var names: [String] { effects.map(\.name).filter { !$0.hasPrefix("record ") } }

  /// What the history is told, in order.
  var records: [HistoryEntry] {
    effects.compactMap { effect in
      if case .record(let entry) = effect { entry } else { nil }
    }
  }
}

extension TaskFailure {
  /// Its case, or that of the error within.
  fileprivate var name: Substring {
    switch self {
    case .transport(let error): "\(error)".prefix { $0 != "(" }
    case .authentication(let failure): "\(failure)".prefix { $0 != "(" }
    default: "\(self)".prefix { $0 != "(" }
    }
  }
}

extension TaskEffect {
  fileprivate func name(_ task: UInt64) -> String {
    switch self {
    case .readBody: "readBody \(task)"
    case .negotiate(let step): "negotiate \(task)\(step.input == nil ? "" : " answer")"
    case .readPage: "readPage \(task)"
    case .body(let fate): "body \(task) \(fate)"
    case .takeBack: "takeBack \(task)"
    case .beginWait: "beginWait \(task)"
    case .endWait: "endWait \(task)"
    case .askRedirect: "askRedirect \(task)"
    case .redirected: "redirected \(task)"
    case .passed(let passed): "passed \(task) \(passed.hop) \(passed.head.status)"
    case .deliverHeld: "deliverHeld \(task)"
    case .finish(let failure): "finish \(task)" + (failure.map { " " + $0.name } ?? "")
    case .stop(let failure): "stop \(task) \(failure.name)"
    }
  }
}

extension SessionEffect {
  /// What a table of effects calls it.
  var name: String {
    switch self {
    case .send(let task, _, _, _): "send \(task.number)"
    case .task(let task, let effect): effect.name(task.number)
    case .keep(let task, _, _, _, _): "keep \(task.number)"
    case .notify(let peer, let challenge): "notify \(peer.number) \(challenge.identifier)"
    case .settled(let challenge, let outcome, _, _): "settled \(challenge) \(outcome)"
    case .announce(_, let change, _): "announce \(change)"
    case .announceMany(let count, _): "announce \(count)"
    case .announceIdentity(let change, _): "announce \(change.identifier) \(change.change)"
    case .record(let entry): "record \(entry.outcome)"
    case .readSource(let request): "readSource \(request.name)"
    case .tellSource(let report): "tellSource \(report.source) \(report.operation)"
    case .stopReading(let challenge): "stopReading \(challenge)"
    case .coalesced: "coalesced"
    case .warn(let task, _): "warn \(task.number)"
    case .warnOfPin: "warnOfPin"
    case .warnOfExchanges(let task): "warnOfExchanges \(task.number)"
    case .closeConnections(let reason):
      switch reason {
      case .somethingIsNew: "close somethingIsNew"
      case .somethingIsGone: "close somethingIsGone"
      case .partitionIsOver: "close partitionIsOver"
      case .groundIsOver: "close groundIsOver"
      }
    case .useRoots(let roots): "useRoots \(roots.all.count)"
    case .forgetTickets(let account): "forgetTickets \(account)"
    case .forgetAllTickets: "forgetAllTickets"
    case .releaseKeys: "releaseKeys"
    case .releaseLentKeys: "releaseLentKeys"
    }
  }
}
