import Testing
import WatchwordCore
import WatchwordReactor
import WatchwordTestSupport
import WatchwordTransport
import WatchwordVocabulary

/// Handshakes ask a judge, and connections stay in the partition in which they were opened.
@Suite struct TrustJudgeTests {
  init() { LoopThread.started }

  /// Says in each handshake what the test wants, and remembers it.
  @ReactorActor private final class Judge: HandshakeJudge {
    var ruling = TrustStore.Ruling.accept
    var required = TrustPolicy.Requirements()
    var seen: [(partition: ConnectionPartition, faults: [TrustFault], chain: Fingerprint)] = []
    /// In which the chains were verified.
    var steps: [UInt64] = []
    /// Called when a handshake begins.
    var onBegin: () -> Void = {}

    func requirements(for origin: Origin) -> TrustPolicy.Requirements {
      onBegin()
      return required
    }

    func ruling(
      on presented: PresentedChain, with faults: [TrustFault], from origin: Origin,
      at hop: Hop, in partition: ConnectionPartition
    ) -> TrustStore.Ruling {
      seen.append((partition, faults, presented.chain))
      steps.append(EventLoop.shared.steps)
      return ruling
    }

    func ruling(
      on request: CertificateRequest, from origin: Origin, in partition: ConnectionPartition, isAsked: Bool
    ) -> IdentityRuling {
      .presentNone
    }

    func mayStillPresent(_ identity: String) -> Bool { true }

    func refused(
      _ identity: String, for request: CertificateRequest, from origin: Origin,
      in partition: ConnectionPartition
    ) {}
  }

  private static let selfSigned = TrustFault(reason: .selfSigned, depth: 0)
  private static let pin = TrustFault(reason: .pinMismatch, depth: 0)
  private static let unknown = TrustFault(reason: .unknownIssuer, depth: 0)

  private static func request(_ name: String = "stranger", _ partition: ConnectionPartition = .common) throws
    -> TestExchange
  {
    var request = try TestExchange(TLSOrigins.shared.url(name))
    request.setup.partition = partition
    return request
  }

  @Test @ReactorActor func theJudgeDecidesWhatDefaultEvaluationRefuses() async throws {
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    let judge = Judge()
    engine.judge = judge
    #expect(await engine.fetch(try Self.request()).error == nil)
    judge.ruling = .ask([Self.selfSigned, Self.pin])
    let asked = await engine.fetch(try Self.request("selfSigned"))
    guard case .serverTrustUndecided(let trust) = asked.error else {
      Issue.record("\(String(describing: asked.error))")
      return
    }
    // What the judge finds is asked about, too.
    #expect(trust.faults == [Self.selfSigned, Self.pin])
    #expect(asked.heads.isEmpty)
    #expect(judge.seen.map(\.faults) == [[Self.unknown], [Self.selfSigned]])
    #expect(judge.seen.last?.chain == trust.presented.chain)
  }

  /// How many clients an origin `together` waits for.
  private static let together = 24

  @ReactorActor private static func engine(
    _ judge: Judge, _ revocation: SessionConfiguration.Revocation = .off
  ) throws -> CurlEngine {
    var configuration = EngineConfiguration()
    configuration.connectionsPerHost = together
    configuration.revocation = revocation
    let engine = try CurlEngine(configuration)
    engine.judge = judge
    return engine
  }

  /// Begins exchanges with a connection each.
  @ReactorActor private static func begin(with name: String, in engine: CurlEngine) throws -> [Recorder] {
    try (0..<together).map { _ in
      var request = try request(name)
      request.repetition.requiresNewConnection = true
      let recorder = Recorder()
      _ = engine.start(request, delegate: recorder)
      return recorder
    }
  }

  /// Keeps the loop busy at the end of this turn, until libcurl's timers of connections that have been begun are due
  /// (RFC 8305): its next call runs all of their handshakes.
  @ReactorActor private static func holdLoop() {
    EventLoop.shared.atEndOfTurn {
      let end = EventLoop.monotonicSeconds() + 0.25
      while EventLoop.monotonicSeconds() < end {}
    }
  }

  /// Others have their turn between two of them. A chain of TLS 1.2 is judged when there is no OCSP response for it.
  @Test(arguments: ["together", "together12"])
  @ReactorActor func aStepVerifiesOneChain(_ name: String) async throws {
    let judge = Judge()
    let engine = try Self.engine(judge, name == "together12" ? .stapled : .off)
    defer { engine.shutDown() }
    var begun = 0
    judge.onBegin = {
      begun += 1
      if begun == Self.together { Self.holdLoop() }
    }
    let exchanges = try Self.begin(with: name, in: engine)
    for exchange in exchanges { await exchange.finished() }
    #expect(exchanges.compactMap(\.error).isEmpty)
    #expect(judge.steps.count == Self.together)
    #expect(Set(judge.steps).count == Self.together)
  }

  @Test(arguments: [("stranger", "TLSv1.3"), ("chained12", "TLSv1.2")])
  @ReactorActor func aStepVerifiesOneChainOfATLSSession(_ name: String, _ version: String) async throws {
    let judge = Judge()
    let engine = try Self.engine(judge)
    defer { engine.shutDown() }
    var first = try Self.request(name)
    first.headers = [HeaderField("Connection", "close")]
    #expect(await engine.fetch(first).text == "\(version) False")
    let exchanges = try Self.begin(with: name, in: engine)
    // They begin to connect in the next turn.
    _ = EventLoop.shared.schedule(after: 0) { Self.holdLoop() }
    for exchange in exchanges { await exchange.finished() }
    #expect(exchanges.compactMap(\.error).isEmpty)
    #expect(exchanges.contains { $0.text == "\(version) True" })
    #expect(judge.steps.count == 1 + Self.together)
    #expect(Set(judge.steps).count == judge.steps.count)
  }

  @Test @ReactorActor func connectionsAndTLSSessionsStayInTheirPartition() async throws {
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    let judge = Judge()
    engine.judge = judge
    let partitions: [ConnectionPartition] = [.common, .decided, .grant(1), .grant(2)]
    for partition in partitions {
      let first = await engine.fetch(try Self.request("stranger", partition))
      #expect(first.metrics?.isReused == false && first.text == "TLSv1.3 False")
      let second = await engine.fetch(try Self.request("stranger", partition))
      #expect(second.metrics?.isReused == true)
    }
    #expect(judge.seen.map(\.partition) == partitions)
    #expect(engine.openConnections == partitions.count)
    engine.close(.grant(1))
    engine.close(.grant(2))
    #expect(engine.openConnections == 2)
    engine.closeIdleConnections()
    #expect(engine.openConnections == 0)
    let fresh = await engine.fetch(try Self.request())
    #expect(fresh.text == "TLSv1.3 False")
  }

  @Test(arguments: [("stranger", "TLSv1.3"), ("chained", "TLSv1.3"), ("chained12", "TLSv1.2")])
  @ReactorActor func everyConnectionIsJudgedThatResumesATLSSessionToo(
    _ name: String, _ version: String
  ) async throws {
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    let judge = Judge()
    engine.judge = judge
    var request = try Self.request(name)
    request.headers = [HeaderField("Connection", "close")]
    #expect(await engine.fetch(request).text == "\(version) False")
    #expect(await engine.fetch(request).text == "\(version) True")
    #expect(judge.seen.count == 2)
    #expect(judge.seen.first?.chain == judge.seen.last?.chain)
    #expect(judge.seen.first?.faults == judge.seen.last?.faults)
    judge.ruling = .ask([Self.unknown])
    let asked = await engine.fetch(request)
    guard case .serverTrustUndecided = asked.error else {
      Issue.record("\(String(describing: asked.error))")
      return
    }
    #expect(asked.heads.isEmpty)
    // Of the session, and then of what the server presents.
    #expect(judge.seen.count == 4)
  }

  /// A response says how things stand now; a session that is resumed comes without.
  @Test @ReactorActor func noTLSSessionIsResumedWhereAnOCSPResponseCounts() async throws {
    var configuration = EngineConfiguration()
    configuration.revocation = .stapled
    let engine = try CurlEngine(configuration)
    defer { engine.shutDown() }
    let judge = Judge()
    engine.judge = judge
    var request = try Self.request("chained")
    request.headers = [HeaderField("Connection", "close")]
    for _ in 0..<2 { #expect(await engine.fetch(request).text == "TLSv1.3 False") }
    #expect(judge.seen.count == 2)
  }

  @Test @ReactorActor func theJudgesRequirementsBindTheHandshake() async throws {
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    let judge = Judge()
    engine.judge = judge
    #expect(await engine.fetch(try Self.request("tls12")).text == "TLSv1.2 False")
    engine.closeIdleConnections()
    judge.required.minimumTLSVersion = .tls13
    #expect(await engine.fetch(try Self.request("tls12")).error == .tlsFailed(.protocolVersion))
    judge.required.minimumTLSVersion = nil
    judge.required.forwardSecrecy = true
    #expect(await engine.fetch(try Self.request("tls12")).error == nil)
    #expect(await engine.fetch(try Self.request("rsaKeyExchange")).error == .tlsFailed(.handshakeFailure))
    judge.required.forwardSecrecy = false
    #expect(await engine.fetch(try Self.request("rsaKeyExchange")).error == nil)
  }

  @Test @ReactorActor func cookiesAreTheSessionsInEveryPartition() async throws {
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    engine.cookies.set(
      Cookie(
        name: "a", value: "b", domain: "localhost", includesSubdomains: false, path: "/", expires: nil,
        isSecure: false, isHTTPOnly: false))
    engine.closeIdleConnections()
    #expect(engine.cookies.list().map(\.value) == ["b"])
  }
}
