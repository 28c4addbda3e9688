internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordTransport
internal import WatchwordVocabulary

/// The driver of an OAuth source: its machine decides, and this reads and writes files and sends requests.
///
/// Its exchanges are the daemon's own: no session, and so no caller, has a say in their trust, proxies and
/// cookies.
@ReactorActor
final class TokenAccount {
  typealias Prompts = @ReactorActor (DevicePrompt) -> Void
  typealias Completion = @ReactorActor (Result<SourceAnswer, SourceFault>) -> Void

  private struct Reading {
    let prompts: Prompts
    let then: Completion
  }

  private let source: OAuthSource
  /// Its files, one after the other: a refresh token is written after the one before.
  let lane: SourceLane
  /// The daemon, which lives as long as the process.
  private unowned let environment: any SourceEnvironment
  private(set) var machine: TokenStateMachine
  private var waiting: [UInt64: Reading] = [:]
  private var lastReader: UInt64 = 0
  private var timer: LoopTimer?
  private var engine: (any ExchangeEngine)?
  private var exchange: BoundedExchange?
  /// The request that is prepared or sent now; an answer to an earlier one means nothing.
  private var request: UInt64 = 0
  /// Its answer may hold a refresh token that takes the place of the one before.
  private var mayReplaceToken = false
  private var writing = 0
  /// It writes the same file, and must have done so before this one reads it.
  private var predecessor: TokenAccount?
  private var isOver = false
  private(set) var hasEnded = false
  private var endings: [@ReactorActor () -> Void] = []

  init(
    _ source: OAuthSource, after predecessor: TokenAccount? = nil, in lane: SourceLane,
    _ environment: any SourceEnvironment
  ) {
    self.source = source
    self.lane = lane
    self.predecessor = predecessor
    self.environment = environment
    machine = TokenStateMachine(source.client.grant, hasFile: source.refreshTokenFile != nil)
  }

  var refreshTokenFile: String? { source.refreshTokenFile }

  func read(
    _ want: TokenStateMachine.Want, prompts: @escaping Prompts, then: @escaping Completion
  ) -> SourceTicket {
    lastReader += 1
    let reader = lastReader
    waiting[reader] = Reading(prompts: prompts, then: then)
    perform(machine.read(reader, want, now: EventLoop.shared.now))
    return SourceTicket { [weak self] in self?.leave(reader) ?? false }
  }

  private func leave(_ reader: UInt64) -> Bool {
    guard waiting.removeValue(forKey: reader) != nil else { return false }
    perform(machine.leave(reader))
    environment.sourcesChanged()
    return true
  }

  func forget() { machine.forget() }

  // MARK: End

  /// The configuration has another source of this name now, or none, or the daemon stops.
  ///
  /// A request that may bring a new refresh token is finished, and the token is written: the endpoint does
  /// not take the one before any more.
  func end() {
    guard !isOver else { return }
    isOver = true
    timer?.cancel()
    if !mayReplaceToken { cancel() }
    let readings = waiting.values
    waiting = [:]
    for reading in readings { reading.then(.failure(.withdrawn)) }
    finishEnd()
  }

  func whenEnded(_ then: @escaping @ReactorActor () -> Void) {
    if hasEnded { then() } else { endings.append(then) }
  }

  private func finishEnd() {
    guard isOver, !hasEnded, exchange == nil, writing == 0 else { return }
    hasEnded = true
    engine?.shutDown()
    engine = nil
    let endings = endings
    self.endings = []
    for ending in endings { ending() }
  }

  // MARK: Effects

  private func perform(_ effects: [TokenStateMachine.Effect]) {
    for effect in effects {
      switch effect {
      case .send(let purpose): prepare(purpose)
      case .cancel: cancel()
      case .give(let reader, let token, let seconds):
        let answer = SourceAnswer(.token(token), notAfter: seconds.map { Clock.wallSeconds() + $0 })
        waiting.removeValue(forKey: reader)?.then(.success(answer))
      case .fail(let reader, let fault): waiting.removeValue(forKey: reader)?.then(.failure(fault))
      case .show(let reader, let prompt): waiting[reader]?.prompts(prompt)
      case .keep(let token): keep(token)
      }
    }
    scheduleTick()
  }

  private func scheduleTick() {
    timer?.cancel()
    timer = nil
    guard !isOver, let next = machine.nextTick else { return }
    let now = EventLoop.shared.now
    timer = EventLoop.shared.schedule(after: max(0, next - now)) { [weak self] in
      guard let self else { return }
      perform(machine.tick(now: EventLoop.shared.now))
    }
  }

  private func cancel() {
    request += 1
    mayReplaceToken = false
    exchange?.cancel()
    exchange = nil
  }

  /// What a request needs of the disk.
  private struct Material: Sendable {
    let request: TokenRequest
    let roots: String?
  }

  private func prepare(_ purpose: TokenRequest.Purpose) {
    guard !isOver else { return }
    request += 1
    let number = request
    if let predecessor, !predecessor.hasEnded {
      return predecessor.whenEnded { [weak self] in self?.prepare(purpose, number) }
    }
    prepare(purpose, number)
  }

  private func prepare(_ purpose: TokenRequest.Purpose, _ number: UInt64) {
    predecessor = nil
    guard number == request, !isOver else { return }
    environment.counters.tokenRequests += 1
    lane.submit(
      { [source, readsRoots = engine == nil] in
        Result { () throws(SourceFault) in
          var purpose = purpose
          if case .refresh(nil) = purpose, let path = source.refreshTokenFile {
            let token = try SourceFile.line(path)
            guard TokenReply.isVisible(token) else { throw SourceFault.malformed }
            purpose = .refresh(token)
          }
          let secret: Secret? = if let path = source.secretFile { try SourceFile.line(path) } else { nil }
          return Material(
            request: try TokenRequest(purpose, of: source.client, secret: secret),
            roots: readsRoots ? try source.roots.map(SourceFile.text) : nil)
        }
      },
      then: { [weak self] result in
        guard let self, number == request, !isOver else { return }
        send(result, purpose)
      })
  }

  private func send(_ result: Result<Material, SourceFault>, _ purpose: TokenRequest.Purpose) {
    let number = request
    switch result {
    case .failure(let fault): received(.failure(fault))
    case .success(let material):
      guard let engine = engine ?? makeEngine(trusting: material.roots) else {
        return received(.failure(.unreadable))
      }
      self.engine = engine
      let isOfDevice = purpose == .deviceAuthorization
      let exchange = BoundedExchange(
        seconds: BoundedExchange.tokenSeconds, maximumBytes: TokenReply.maximumBytes
      ) { [weak self] result in
        guard let self, number == request else { return }
        received(
          result.map { TokenReply.Answer($0, isOfDevice: isOfDevice) }.mapError { SourceFault($0) })
      }
      self.exchange = exchange
      if case .refresh = purpose { mayReplaceToken = source.refreshTokenFile != nil }
      guard exchange.start(material.request, over: engine, through: environment.proxies) else {
        return received(.failure(.unreachable))
      }
    }
  }

  private func received(_ result: Result<TokenReply.Answer, SourceFault>) {
    exchange = nil
    mayReplaceToken = false
    perform(machine.received(result, now: EventLoop.shared.now))
    environment.sourcesChanged()
    finishEnd()
  }

  private func keep(_ token: Secret) {
    guard let path = source.refreshTokenFile else { return }
    writing += 1
    // It is written even when the source is gone meanwhile.
    lane.submit(
      { Result { () throws(SourceFault) in try SourceFile.replace(path, with: token) } },
      then: { [self] result in
        writing -= 1
        if case .failure(let fault) = result {
          machine.kept(token, fault)
        } else {
          machine.kept(token, nil)
        }
        environment.sourcesChanged()
        finishEnd()
      })
  }
}

extension TokenAccount: EndpointJudge {
  var endpoints: any EndpointEnvironment { environment }
  var identity: ClientIdentity? { nil }
}
