internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordSecret
internal import WatchwordTransport
internal import WatchwordVocabulary

/// The driver of an OAuth source: its machine decides, and this reads and writes files and sends requests.
///
/// Its exchanges are the daemon's own: no session, and so no caller, has a say in their trust, proxies and cookies.
@ReactorActor
final class TokenAccount {
  typealias Completion = @ReactorActor (Result<SourceAnswer, SourceFault>) -> Void

  private let source: OAuthSource
  /// The daemon, which lives as long as the process.
  private unowned let environment: any SourceEnvironment
  private(set) var machine: TokenStateMachine
  private var waiting: [UInt64: Completion] = [:]
  private var lastReader: UInt64 = 0
  private var engine: (any ExchangeEngine)?
  private var exchange: TokenExchange?
  private var isOver = false

  init(_ source: OAuthSource, _ environment: any SourceEnvironment) {
    self.source = source
    self.environment = environment
    machine = TokenStateMachine(source.client.grant)
  }

  func read(_ want: TokenStateMachine.Want, then: @escaping Completion) {
    lastReader += 1
    waiting[lastReader] = then
    perform(machine.read(lastReader, want, now: EventLoop.shared.now))
  }

  func forget() { machine.forget() }

  /// The configuration has another source of this name now, or none.
  func end() {
    isOver = true
    exchange?.cancel()
    engine?.shutDown()
    let waiting = self.waiting.values
    self.waiting = [:]
    for completion in waiting { completion(.failure(.withdrawn)) }
  }

  // MARK: Effects

  private func perform(_ effects: [TokenStateMachine.Effect]) {
    for effect in effects {
      switch effect {
      case .send(let purpose): prepare(purpose)
      case .give(let reader, let token, let seconds):
        let answer = SourceAnswer(.token(token), notAfter: seconds.map { Clock.wallSeconds() + $0 })
        waiting.removeValue(forKey: reader)?(.success(answer))
      case .fail(let reader, let fault): waiting.removeValue(forKey: reader)?(.failure(fault))
      case .keep(let token): keep(token)
      }
    }
  }

  /// What a request needs of the disk.
  private struct Material: Sendable {
    let request: TokenRequest
    let roots: String?
  }

  private func prepare(_ purpose: TokenRequest.Purpose) {
    environment.counters.tokenRequests += 1
    SourceReader.pool.submit(
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
      then: { [weak self] result in self?.send(result) })
  }

  private func send(_ result: Result<Material, SourceFault>) {
    guard !isOver else { return }
    switch result {
    case .failure(let fault): received(.failure(fault))
    case .success(let material):
      guard let engine = engine ?? makeEngine(material.roots) else { return received(.failure(.unreadable)) }
      self.engine = engine
      let exchange = TokenExchange { [weak self] in self?.received($0) }
      self.exchange = exchange
      exchange.start(material.request, over: engine, through: environment.proxies)
    }
  }

  private func makeEngine(_ roots: String?) -> (any ExchangeEngine)? {
    var configuration = EngineConfiguration()
    configuration.cookiePolicy = .never
    configuration.extraRoots = roots
    let engine = try? CurlEngine(configuration)
    engine?.judge = self
    return engine
  }

  private func received(_ result: Result<TokenReply.Answer, SourceFault>) {
    exchange = nil
    guard !isOver else { return }
    perform(machine.received(result, now: EventLoop.shared.now))
    environment.sourcesChanged()
  }

  private func keep(_ token: Secret) {
    guard let path = source.refreshTokenFile else { return }
    SourceReader.pool.submit(
      { Result { () throws(SourceFault) in try SourceFile.replace(path, with: token) } },
      then: { [weak self] result in
        guard let self else { return }
        if case .failure(let fault) = result {
          machine.kept(token, fault)
        } else {
          machine.kept(token, nil)
        }
        environment.sourcesChanged()
      })
  }
}

/// Default evaluation and the administrator's rules decide about the endpoint's certificate; no client certificate is
/// presented.
extension TokenAccount: HandshakeJudge {
  func requirements(for origin: Origin) -> TrustPolicy.Requirements {
    environment.policy.requirements(for: origin.host)
  }

  func ruling(
    on presented: PresentedChain, with faults: [TrustFault], from origin: Origin,
    in partition: ConnectionPartition
  ) -> TrustStore.Ruling {
    let rules = ChainRules(pins: PinSet(), policy: environment.policy)
    let found = rules.findings(on: presented, with: faults, from: origin.host).faults
    return found.isEmpty ? .accept : .ask(found)
  }

  func ruling(
    on request: CertificateRequest, from origin: Origin, in partition: ConnectionPartition, isAsked: Bool
  ) -> IdentityRuling {
    .presentNone
  }

  func mayStillPresent(_ identity: String) -> Bool { false }

  func refused(
    _ identity: String, for request: CertificateRequest, from origin: Origin,
    in partition: ConnectionPartition
  ) {}
}
