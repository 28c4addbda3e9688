import Glibc
import Testing
import WatchwordCore
import WatchwordMessages
import WatchwordReactor
import WatchwordTestSupport
import WatchwordTransport
import WatchwordVocabulary

@testable import WatchwordServer

/// Sources whose configuration changes while they are read (administrator.md 15.3).
@Suite(.serialized) struct SourceEdgeTests {
  init() { LoopThread.started }

  private static let origin = Origin(scheme: .https, host: "id.example", port: 443)
  private static let json = [HeaderField("Content-Type", "application/json")]
  private static let space = ProtectionSpace(
    origin: Origin(scheme: .http, host: "127.0.0.1", port: 1), realm: nil, authenticationMethod: .bearer)

  private static func source(_ identifier: String, _ file: String?, roots: String? = nil) -> NamedSource {
    let client = OAuthClient(
      grant: file == nil ? .clientCredentials : .refreshToken,
      tokenEndpoint: RequestURL(origin: origin, path: "/token", query: nil), identifier: identifier)
    return NamedSource(
      .oauth(OAuthSource(client: client, secretFile: nil, refreshTokenFile: file, roots: roots)))
  }

  @ReactorActor private static func read(
    _ registry: SourceRegistry, _ then: @escaping @ReactorActor (Result<SourceAnswer, SourceFault>) -> Void
  ) -> SourceTicket? {
    registry.read(SourceRequest("s", for: space, purpose: .renewal), then: then)
  }

  /// Rule 15.3.7: of one file, the token before is written first.
  @Test(arguments: [true, false])
  @ReactorActor func aSourceOfTheSameFileComesAfterTheOneBefore(isSame: Bool) async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("r1", to: "token", mode: 0o600)
    let other = isSame ? file : try folder.write("r8", to: "other", mode: 0o600)
    let scene = SessionScene()
    let registry = SourceRegistry(["s": Self.source("first", file)], scene)
    var given = 0
    _ = Self.read(registry) { _ in given += 1 }
    let engine = scene.endpointEngine
    await DaemonScene.until { engine.exchanges.count == 1 }
    registry.replace(with: ["s": Self.source("second", other)])
    #expect(given == 1 && registry.isEnding)
    _ = Self.read(registry) { _ in given += 1 }
    if isSame {
      for _ in 0..<20 { await DaemonScene.turn() }
      #expect(engine.exchanges.count == 1)
    } else {
      await DaemonScene.until { engine.exchanges.count == 2 }
      #expect(FakeStore.body(of: engine.exchanges[1]).contains("refresh_token=r8"))
    }
    engine.exchanges[0].respond(200, Self.json, body: #"{"access_token":"x","refresh_token":"r2"}"#)
    await DaemonScene.until { engine.exchanges.count == 2 && !registry.isEnding }
    #expect(folder.read("token") == "r2\n")
    #expect(FakeStore.body(of: engine.exchanges[1]).contains("refresh_token=\(isSame ? "r2" : "r8")"))
    engine.exchanges[1].respond(200, Self.json, body: #"{"access_token":"y"}"#)
    await DaemonScene.until { given == 2 }
    #expect(scene.counters.sourcesRead == 2 && scene.counters.tokenRequests == 2)
  }

  /// One without a file waits for none.
  @Test @ReactorActor func aSourceWithoutAFileDoesNotWait() async throws {
    let scene = SessionScene()
    let registry = SourceRegistry(["s": Self.source("first", nil)], scene)
    _ = Self.read(registry) { _ in }
    await DaemonScene.until { scene.endpointEngine.exchanges.count == 1 }
    registry.replace(with: ["s": Self.source("second", nil)])
    #expect(scene.endpointEngine.exchanges[0].isCancelled && !registry.isEnding)
    _ = Self.read(registry) { _ in }
    await DaemonScene.until { scene.endpointEngine.exchanges.count == 2 }
    scene.endpointEngine.exchanges[1].finish(.cancelled)
  }

  /// The account of a ticket is gone: nothing can be abandoned.
  @Test @ReactorActor func aTicketMayOutliveItsSource() async throws {
    let scene = SessionScene()
    let registry = SourceRegistry(["s": Self.source("first", nil)], scene)
    var given: [String] = []
    let ticket = try #require(
      Self.read(registry) { if case .failure(let fault) = $0 { given.append(fault.rawValue) } })
    await DaemonScene.until { scene.endpointEngine.exchanges.count == 1 }
    registry.replace(with: [:])
    #expect(given == ["withdrawn"])
    #expect(!ticket.abandon())
    // The end can be waited for again.
    var ends = 0
    for _ in 0..<2 {
      EventLoop.shared.begin {
        await registry.end()
        ends += 1
      }
    }
    #expect(ends == 2)
  }

  @Test @ReactorActor func sourcesAreShownByName() {
    let names = ["d", "a", "c", "b"]
    let scene = SessionScene()
    let registry = SourceRegistry(
      Dictionary(uniqueKeysWithValues: names.map { ($0, Self.source($0, nil)) }), scene)
    #expect(registry.descriptions(now: 0, wallClock: 0).map(\.source) == ["a", "b", "c", "d"])
  }

  /// What needs a person is no fault while nobody waits for it; otherwise it is in the log.
  @Test @ReactorActor func aReadingThatFailsIsInTheLog() async throws {
    let client = OAuthClient(
      grant: .deviceCode, tokenEndpoint: RequestURL(origin: Self.origin, path: "/token", query: nil),
      deviceEndpoint: RequestURL(origin: Self.origin, path: "/device", query: nil), identifier: "c")
    let source = NamedSource(
      .oauth(OAuthSource(client: client, secretFile: nil, refreshTokenFile: nil, roots: nil)))
    try await DaemonScene.call({ $0.settings.credentialSources = ["s": source] }) { caller, scene in
      _ = await caller.ask("session/open", #"{"name":"a"}"#)
      let session = try #require(scene.daemon.registry.all.first)
      session.read(SourceRequest("s", for: Self.space, purpose: .renewal))
      #expect(scene.log == [])
      session.read(SourceRequest("s", for: Self.space, purpose: .challenge("c1")))
      #expect(scene.log.count == 1 && scene.log[0].hasPrefix("source of credentials not usable "))
      session.read(SourceRequest("t", for: Self.space, purpose: .renewal))
      #expect(scene.log.count == 2)
    }
  }

  /// A request that brings no refresh token is not waited for, whatever was asked before.
  @Test(arguments: [true, false])
  @ReactorActor func aSourceThatHasAnsweredDoesNotWait(hasAnswered: Bool) async throws {
    let client = OAuthClient(
      grant: hasAnswered ? .clientCredentials : .deviceCode,
      tokenEndpoint: RequestURL(origin: Self.origin, path: "/token", query: nil),
      deviceEndpoint: RequestURL(origin: Self.origin, path: "/device", query: nil), identifier: "c")
    let source = NamedSource(
      .oauth(OAuthSource(client: client, secretFile: nil, refreshTokenFile: nil, roots: nil)))
    let scene = SessionScene()
    let registry = SourceRegistry(["s": source], scene)
    var request = SourceRequest("s", for: Self.space, purpose: .renewal)
    request.want.mayPrompt = true
    let first = registry.read(request) { _ in }
    await DaemonScene.until { scene.endpointEngine.exchanges.count == 1 }
    if hasAnswered {
      scene.endpointEngine.exchanges[0].respond(200, Self.json, body: #"{"access_token":"x"}"#)
      request.want.refused = [.token(Secret("x".utf8))]
    } else {
      #expect(first?.abandon() == true)
    }
    _ = registry.read(request) { _ in }
    await DaemonScene.until { scene.endpointEngine.exchanges.count == 2 }
    registry.replace(with: [:])
    #expect(scene.endpointEngine.exchanges[1].isCancelled && !registry.isEnding)
  }

  /// Rule 15.3.7: of sources with one file, what one has written is read by the other.
  @Test @ReactorActor func sourcesOfOneFileWriteItInTurn() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("r1", to: "token", mode: 0o600)
    let scene = SessionScene()
    let registry = SourceRegistry(["s": Self.source("one", file), "t": Self.source("two", file)], scene)
    let engine = scene.endpointEngine
    _ = Self.read(registry) { _ in }
    await DaemonScene.until { engine.exchanges.count == 1 }
    // Its token is being written when the other one begins.
    engine.exchanges[0].respond(200, Self.json, body: #"{"access_token":"x","refresh_token":"r2"}"#)
    registry.read(SourceRequest("t", for: Self.space, purpose: .renewal)) { _ in }
    await DaemonScene.until { engine.exchanges.count == 2 }
    #expect(FakeStore.body(of: engine.exchanges[1]).contains("refresh_token=r2"))
    registry.replace(with: [:])
    engine.exchanges[1].finish(.cancelled)
  }

  /// The authorities of a source are those of its file.
  @Test @ReactorActor func aSourceTrustsTheRootsOfItsFile() async throws {
    let folder = try TemporaryFolder()
    let roots = try folder.write("these", to: "roots", mode: 0o644)
    try await DaemonScene.call({ $0.settings.credentialSources = ["s": Self.source("c", nil, roots: roots)] })
    { caller, scene in
      _ = await caller.ask("session/open", #"{"name":"a"}"#)
      scene.daemon.registry.all.first?.read(SourceRequest("s", for: Self.space, purpose: .renewal))
      await DaemonScene.until { scene.endpointEngines.count == 1 }
      #expect(scene.endpointEngines[0].settings.extraRoots == "these")
    }
  }

  /// Only who asks an authorization server may have to wait for a person.
  @Test func aFileNeedsNoPerson() {
    #expect(!NamedSource(.file(path: "/nowhere", user: nil)).needsPerson)
  }
}
