import CLinux
import Glibc
import Testing
import WatchwordCore
import WatchwordJSON
import WatchwordProtocol
import WatchwordReactor
import WatchwordTestSupport
import WatchwordTransport
import WatchwordVocabulary

@testable import WatchwordServer

/// Sessions and tasks at their edges: what counts once, what is cut, and what is whose.
@Suite(.serialized) struct SessionEdgeTests {
  init() { LoopThread.started }

  private static let basic = [HeaderField("WWW-Authenticate", "Basic realm=\"r\"")]

  /// messages.md 4.20.
  @Test @ReactorActor func aSessionIsUnusedWithoutWork() {
    let scene = SessionScene()
    scene.session.noteUse()
    #expect(scene.session.isUnused(for: 0) && !scene.session.isUnused(for: 1000))
    _ = scene.begin(isDetached: true)
    #expect(!scene.session.isUnused(for: 0) && scene.session.unusedSeconds == 0)
    scene.engine.exchanges[0].respond(200)
    scene.session.noteUse()
    #expect(scene.session.isUnused(for: 0))
    scene.delegate(1)
    #expect(!scene.session.isUnused(for: 0))
    scene.session.remove(PeerIdentifier(1))
    #expect(scene.session.isUnused(for: 0))
    scene.session.invalidate(.invalidated)
    #expect(!scene.session.isUnused(for: 0))
  }

  /// What has no connection yet and begins again is the same exchange.
  @Test @ReactorActor func anExchangeThatIsTakenBackCountsOnce() {
    let scene = SessionScene()
    let task = scene.begin()
    #expect(task.isUnsent && scene.counters.exchanges == 1)
    task.suspend()
    #expect(!task.isUnsent)
    task.resume()
    #expect(scene.engine.exchanges.count == 2 && scene.counters.exchanges == 1)
    scene.engine.exchanges[1].respond(200)
    #expect(!task.isUnsent && scene.told == ["t1 200 "])
  }

  /// challenges.md 4.6: of a refusal's page the beginning is kept.
  @Test(arguments: [(0, false), (1, true)])
  @ReactorActor func aPageThatIsCutSaysSo(_ more: Int, _ isCut: Bool) {
    let scene = SessionScene()
    scene.delegate(1)
    let task = scene.begin(
      output: CollectingOutput(
        inlineLimit: 1 << 20, memoryFileLimit: nil, charge: MemoryCharge(scene.budget, uid: 1)))
    scene.engine.exchanges[0].receive(401, Self.basic)
    scene.engine.exchanges[0].receive(body: String(repeating: "x", count: 100))
    #expect(task.held.bytes.count == 100)
    scene.engine.exchanges[0].receive(body: String(repeating: "x", count: HeldBody.capacity - 100 + more))
    scene.engine.exchanges[0].finish()
    scene.reply(scene.challenge, .performDefaultHandling)
    let end = scene.told.last ?? ""
    #expect(end.hasPrefix("t1 401 x") && end.hasSuffix("…") == isCut)
  }

  /// Nothing of a redirect's page is kept.
  @Test @ReactorActor func thePageOfARedirectIsPassedOver() {
    let scene = SessionScene()
    let task = scene.begin()
    scene.engine.exchanges[0].receive(302, [HeaderField("Location", "https://a.example/n")])
    #expect(scene.engine.exchanges[0].receive(body: "moved") == .taken)
    #expect(task.held.bytes.isEmpty)
    scene.engine.exchanges[0].finish()
    scene.engine.exchanges[1].respond(200, body: "in")
    #expect(scene.told == ["t1 200 in"])
  }

  /// challenges.md 6: a pin that is only reported is counted and told.
  @Test @ReactorActor func aPinThatIsReportedIsCounted() {
    let scene = SessionScene()
    scene.session.perform(.warnOfPin(SessionScene.url().origin))
    #expect(scene.counters.pinsReported == 1 && scene.told == ["warned of a pin"])
  }

  /// A source that gives what it has at once is not being read afterwards.
  @Test @ReactorActor func aTokenThatIsThereIsReadAtOnce() async throws {
    let space = ProtectionSpace(
      origin: Origin(scheme: .http, host: "127.0.0.1", port: 1), realm: nil, authenticationMethod: .bearer)
    let client = OAuthClient(
      grant: .clientCredentials,
      tokenEndpoint: RequestURL(
        origin: Origin(scheme: .https, host: "id.example", port: 443), path: "/t", query: nil),
      identifier: "c")
    let source = NamedSource(
      .oauth(OAuthSource(client: client, secretFile: nil, refreshTokenFile: nil, roots: nil)))
    try await DaemonScene.call({ $0.settings.credentialSources = ["s": source] }) { caller, scene in
      var request: FakeExchange?
      scene.onEndpointRequest = { request = $0 }
      _ = await caller.ask("session/open", #"{"name":"a"}"#)
      let session = try #require(scene.daemon.registry.all.first)
      session.read(SourceRequest("s", for: space, purpose: .challenge("c1")))
      #expect(session.readings.count == 1)
      await DaemonScene.until { request != nil }
      let json = [HeaderField("Content-Type", "application/json")]
      request?.respond(200, json, body: #"{"access_token":"x","expires_in":1000}"#)
      #expect(session.readings.isEmpty)
      session.read(SourceRequest("s", for: space, purpose: .challenge("c2")))
      #expect(session.readings.isEmpty && scene.endpointEngines.count == 1)
    }
  }

  /// restricted.md 2.6.8: connections at one socket have no task of each other.
  @Test @ReactorActor func aTaskOfARestrictedConnectionIsItsOwn() async throws {
    let folder = try TemporaryFolder()
    let socket = clinux_unix_listen(folder.path(of: "s"), 8)
    defer { close(socket) }
    try await DaemonScene.call { caller, scene in
      let rules = #""rules":[{"origin":"http://a.example"}]"#
      _ = await caller.say("peer/listen", #"{"descriptor":0,\#(rules)}"#, descriptors: [socket])
      let first = try await scene.connect(to: folder.path(of: "s"), as: 2)
      let second = try await scene.connect(to: folder.path(of: "s"), as: 3)
      await first.check("task/start", #"{"url":"http://a.example/","task":"x"}"#, is: #"{"task":"x"}"#)
      await first.check("task/describe", #"{"task":"x"}"#, has: #""state":"running""#)
      await second.check("task/describe", #"{"task":"x"}"#, is: "taskNotFound: no task x")
      await second.check("task/cancel", #"{"task":"x"}"#, is: "taskNotFound: no task x")
      // Nor has it one that it has begun with every right.
      _ = await caller.ask("task/start", #"{"url":"http://a.example/","task":"own","detached":true}"#)
      _ = await caller.ask("peer/restrict", "{\(rules)}")
      await caller.check("task/describe", #"{"task":"own"}"#, is: "taskNotFound: no task own")
    }
  }

  /// challenges.md 5.11: each challenge that nobody answers ends at its deadline.
  @Test @ReactorActor func aChallengeEndsAtItsDeadline() async {
    var configuration = SessionConfiguration()
    configuration.challenges.deadlineSeconds = 0.01
    let scene = SessionScene(configuration)
    scene.delegate(1)
    for number in 1...2 {
      _ = scene.begin()
      scene.engine.exchanges.last?.respond(401, Self.basic)
      await DaemonScene.until { scene.session.tasks.isEmpty }
      #expect(scene.told.filter { $0 == "settled deadline" }.count == number)
    }
  }

  /// methods.md 14.9: the tickets of the daemon's account are for its own sessions.
  @Test @ReactorActor func oneAccountIsThatOfTheDaemon() {
    #expect(SessionDriver.isOfDaemon(geteuid()) && !SessionDriver.isOfDaemon(geteuid() + 1))
  }

  /// What it kept counts no more, although its last task ends it in the middle of that task's effects.
  @Test @ReactorActor func aSessionThatHasEndedTakesNoMemory() throws {
    let scene = SessionScene()
    _ = scene.begin()
    let cookie = Cookie(
      name: "n", value: "v", domain: "a.example", includesSubdomains: false, path: "/", expires: nil,
      isSecure: false, isHTTPOnly: false)
    _ = scene.engine.cookies.set(cookie)
    scene.session.finish()
    scene.engine.exchanges[0].respond(200)
    #expect(scene.session.isOver && scene.session.tasks.isEmpty)
    #expect(scene.budget.total == 0)
  }
}
