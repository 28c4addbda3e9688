import Glibc
import Testing
import WatchwordCore
import WatchwordMessages
import WatchwordProtocol
import WatchwordReactor
import WatchwordTestSupport
import WatchwordTransport
import WatchwordVocabulary

@testable import WatchwordServer

/// Sources that ask an authorization server for tokens (administrator.md 15.3.4).
@Suite(.serialized) struct TokenSourceTests {
  init() { LoopThread.started }

  private static let json = [HeaderField("Content-Type", "application/json")]
  private static let origin = Origin(scheme: .https, host: "id.example", port: 443)

  private static func source(
    _ grant: OAuthClient.Grant = .clientCredentials, secret: String? = nil, refreshToken: String? = nil,
    origins: Set<Origin>? = nil
  ) -> NamedSource {
    let client = OAuthClient(
      grant: grant, tokenEndpoint: RequestURL(origin: origin, path: "/token", query: nil),
      deviceEndpoint: RequestURL(origin: origin, path: "/device", query: nil), identifier: "c",
      secretPlace: .body)
    return NamedSource(
      .oauth(OAuthSource(client: client, secretFile: secret, refreshTokenFile: refreshToken, roots: nil)),
      origins: origins)
  }

  /// A registry with one source, and what its readings have given.
  @ReactorActor private final class Scene {
    let session = SessionScene()
    let registry: SourceRegistry
    private(set) var given: [String] = []
    private(set) var prompts: [String] = []

    init(_ source: NamedSource) { registry = SourceRegistry(["s": source], session) }

    @discardableResult
    func read(
      _ name: String = "s", method: AuthenticationMethod = .bearer, refused: [String] = [],
      mayPrompt: Bool = false
    ) -> SourceTicket? {
      let space = ProtectionSpace(
        origin: Origin(scheme: .http, host: "127.0.0.1", port: 1), realm: nil, authenticationMethod: method)
      var request = SourceRequest(name, for: space, purpose: .renewal)
      request.want.refused = refused.map { .token(Secret($0.utf8)) }
      request.want.mayPrompt = mayPrompt
      return registry.read(request) { [unowned self] in
        prompts.append($0.userCode)
      } then: { [unowned self] in
        given.append(Scene.text($0))
      }
    }

    /// Waits for a request to the endpoint, the one with this number, and says its content.
    func request(_ number: Int) async -> String {
      await DaemonScene.until { session.endpointEngine.exchanges.count == number }
      return FakeStore.body(of: exchange)
    }

    var exchange: FakeExchange {
      session.endpointEngine.exchanges[session.endpointEngine.exchanges.count - 1]
    }

    func answer(_ body: String, _ status: Int = 200) { exchange.respond(status, json, body: body) }

    var description: Sent.SourceStatus { registry.descriptions(now: EventLoop.shared.now, wallClock: 0)[0] }

    private static func text(_ result: Result<SourceAnswer, SourceFault>) -> String {
      switch result {
      case .success(let answer):
        guard case .token(let token) = answer.kind else { return "no token" }
        return token.withBytes { String(decoding: $0, as: UTF8.self) }
          + (answer.notAfter == nil ? "" : " ends")
      case .failure(let fault): return fault.rawValue
      }
    }
  }

  @Test @ReactorActor func oneTokenServesAllThatAsk() async throws {
    let folder = try TemporaryFolder()
    let scene = Scene(Self.source(secret: try folder.write("pw\n", to: "secret", mode: 0o600)))
    #expect(scene.description.token == nil && scene.description.awaitsPerson == nil)
    scene.read()
    scene.read()
    let content = await scene.request(1)
    #expect(content.contains("client_secret=pw") && content.contains("grant_type=client_credentials"))
    #expect(scene.exchange.request.url.path == "/token" && scene.given == [])
    scene.answer(#"{"access_token":"x","token_type":"Bearer","expires_in":1000}"#)
    #expect(scene.given == ["x ends", "x ends"])
    scene.read()
    #expect(scene.given.count == 3 && scene.session.counters.tokenRequests == 1)
    #expect(scene.description.token == true)
    // In a thousand seconds, of which some have passed.
    let end = scene.description.validUntil ?? ""
    #expect(end > "1970-01-01T00:16:30Z" && end <= "1970-01-01T00:16:40Z")
    // One that a server has refused is not given again.
    scene.read(refused: ["x"])
    _ = await scene.request(2)
    scene.answer(#"{"access_token":"y"}"#)
    #expect(scene.given.last == "y" && scene.description.validUntil == nil)
    scene.registry.forget()
    #expect(scene.description.token == false)
  }

  @Test(arguments: [
    (200, #"{"access_token":1}"#, "malformed"), (401, "{}", "clientRefused"), (503, "", "unavailable"),
    (400, #"{"error":"invalid_client"}"#, "clientRefused"), (302, "", "redirected"),
    (200, #"{"access_token":"x","token_type":"mac"}"#, "unfit"),
  ])
  @ReactorActor func whyThereIsNoTokenIsSaid(_ status: Int, _ body: String, _ expected: String) async throws {
    let folder = try TemporaryFolder()
    let scene = Scene(Self.source(secret: try folder.write("pw", to: "secret", mode: 0o600)))
    scene.read()
    _ = await scene.request(1)
    scene.answer(body, status)
    #expect(scene.given == [expected] && scene.session.counters.sourcesFailed == 1)
    #expect(scene.description.lastError == expected && scene.description.token == false)
    // The next reading asks again, and its success ends the fault.
    scene.read()
    _ = await scene.request(2)
    scene.answer(#"{"access_token":"x"}"#)
    #expect(scene.description.lastError == nil)
  }

  @Test @ReactorActor func aConnectionThatFailsIsAFault() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("pw", to: "secret", mode: 0o600)
    let scene = Scene(Self.source(secret: file))
    scene.read()
    _ = await scene.request(1)
    scene.exchange.finish(.connectionFailed(nil))
    chmod(file, 0o644)
    scene.read()
    await DaemonScene.until { scene.given.count == 2 }
    unlink(file)
    scene.read()
    await DaemonScene.until { scene.given.count == 3 }
    #expect(scene.given == ["unreachable", "looseMode", "unreadable"])
  }

  /// Rule 15.3.5: the proxies of the daemon's environment.
  @Test @ReactorActor func aRequestGoesThroughTheDaemonsProxy() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("pw", to: "secret", mode: 0o600)
    let way = { (proxy: String) in
      ProxyEnvironment { ["https_proxy": Secret(proxy.utf8)][$0] }.rules
    }
    let scene = Scene(Self.source(secret: file))
    scene.session.proxies = way("http://joe:pw@proxy.example:3128")
    scene.read()
    _ = await scene.request(1)
    #expect(scene.exchange.request.proxy?.proxy.origin.host == "proxy.example")
    #expect(scene.exchange.setup.partition != .common)
    #expect(
      scene.exchange.setup.settings.timeouts == ExchangeTimeouts(connectSeconds: 20, requestSeconds: 20))
    let direct = Scene(Self.source(secret: file))
    direct.read()
    _ = await direct.request(1)
    #expect(direct.exchange.request.proxy == nil && direct.exchange.setup.partition == .common)
    let broken = Scene(Self.source(secret: file))
    broken.session.proxies = way("ftp://proxy.example")
    broken.read()
    await DaemonScene.until { !broken.given.isEmpty }
    #expect(broken.given == ["unreachable"] && broken.session.endpointEngine.exchanges.isEmpty)
  }

  /// Rule 15.3.7.
  @Test @ReactorActor func aNewRefreshTokenTakesThePlaceOfTheOld() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("r1\n", to: "token", mode: 0o600)
    let scene = Scene(Self.source(.refreshToken, refreshToken: file))
    scene.read()
    #expect(await scene.request(1).contains("refresh_token=r1"))
    scene.answer(#"{"access_token":"x","refresh_token":"r2","expires_in":1}"#)
    await DaemonScene.until { folder.read("token") == "r2\n" }
    #expect(folder.mode(of: "token") == 0o600 && folder.names == ["token"])
    // The source is gone while a token is on its way: it is written all the same.
    scene.read(refused: ["x"])
    #expect(await scene.request(2).contains("refresh_token=r2"))
    scene.read()
    var hasEnded = false
    EventLoop.shared.begin {
      await scene.registry.end()
      hasEnded = true
    }
    #expect(scene.registry.isEnding && !hasEnded)
    #expect(scene.given == ["x ends", "withdrawn", "withdrawn"] && !scene.exchange.isCancelled)
    scene.answer(#"{"access_token":"y","refresh_token":"r3"}"#)
    await DaemonScene.until { hasEnded }
    #expect(folder.read("token") == "r3\n" && !scene.registry.isEnding)
    #expect(scene.session.endpointEngine.isShutDown && scene.given.count == 3)
  }

  @Test @ReactorActor func aTokenThatCannotBeWrittenIsKept() async throws {
    let folder = try TemporaryFolder()
    mkdir(folder.path(of: "d"), 0o700)
    let file = try folder.write("r1", to: "d/token", mode: 0o600)
    let scene = Scene(Self.source(.refreshToken, refreshToken: file))
    scene.read()
    _ = await scene.request(1)
    rename(folder.path(of: "d"), folder.path(of: "e"))
    scene.answer(#"{"access_token":"x","refresh_token":"r2"}"#)
    await DaemonScene.until { scene.description.lastError != nil }
    #expect(scene.description.lastError == "unwritable")
    scene.read(refused: ["x"])
    #expect(await scene.request(2).contains("refresh_token=r2"))
    scene.exchange.finish(.cancelled)
  }

  /// A token that cannot be sent in a field.
  @Test @ReactorActor func aTokenInAFileIsVisible() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("r é", to: "token", mode: 0o600)
    let scene = Scene(Self.source(.refreshToken, refreshToken: file))
    scene.read()
    await DaemonScene.until { !scene.given.isEmpty }
    #expect(scene.given == ["malformed"])
  }

  /// methods.md 9.10.7.
  @Test @ReactorActor func aPersonIsAskedWithACode() async throws {
    let scene = Scene(Self.source(.deviceCode))
    #expect(scene.description.awaitsPerson == false)
    scene.read()
    #expect(scene.given == ["promptNeeded"] && scene.session.counters.sourcesFailed == 0)
    let ticket = try #require(scene.read(mayPrompt: true))
    _ = await scene.request(1)
    #expect(scene.exchange.request.url.path == "/device")
    scene.answer(
      #"{"device_code":"d","user_code":"AB-12","verification_uri":"https://id.example/v","expires_in":600,"#
        + #""interval":0}"#)
    #expect(scene.prompts == ["AB-12"] && scene.description.awaitsPerson == true)
    _ = await scene.request(2)
    #expect(FakeStore.body(of: scene.exchange).contains("device_code=d"))
    scene.answer(#"{"error":"authorization_pending"}"#, 400)
    _ = await scene.request(3)
    scene.answer(#"{"access_token":"x","refresh_token":"r"}"#)
    #expect(scene.given.last == "x" && scene.description.awaitsPerson == false)
    #expect(ticket.abandon() == false)
  }

  /// Nobody waits for the code any more.
  @Test @ReactorActor func aPersonIsAskedOnlyWhileSomebodyWaits() async throws {
    let scene = Scene(Self.source(.deviceCode))
    let ticket = try #require(scene.read(mayPrompt: true))
    _ = await scene.request(1)
    let abandoned = ticket.abandon()
    #expect(abandoned && scene.exchange.isCancelled && scene.given == [])
    #expect(ticket.abandon() == false)
  }

  @Test @ReactorActor func aSourceServesItsOriginsAndBearer() async throws {
    let scene = Scene(Self.source(origins: [Self.origin]))
    #expect(scene.registry.fault(naming: "s", for: Self.origin) == nil)
    #expect(
      scene.registry.fault(naming: "s", for: Origin(scheme: .http, host: "b", port: 80)) == .otherOrigin)
    #expect(scene.registry.fault(naming: "t", for: Self.origin) == .unknownName)
    #expect(scene.read() == nil)
    #expect(scene.given == ["withdrawn"] && scene.session.counters.sourcesRead == 0)
    let other = Scene(Self.source())
    #expect(other.read(method: .basic) == nil && other.given == ["unfit"])
  }

  @Test @ReactorActor func soManyReadingsWait() async throws {
    let folder = try TemporaryFolder()
    let scene = Scene(Self.source(secret: try folder.write("pw", to: "secret", mode: 0o600)))
    var ticket: SourceTicket?
    for _ in 0..<Limits.sourceReadings { ticket = scene.read() }
    #expect(scene.read() == nil && scene.given == ["overloaded"])
    _ = ticket?.abandon()
    #expect(scene.read() != nil && scene.given == ["overloaded"])
    _ = await scene.request(1)
    scene.answer(#"{"access_token":"x"}"#)
    #expect(scene.given.count == 1 + Limits.sourceReadings)
    scene.read()
    #expect(scene.given.last == "x")
  }
}
