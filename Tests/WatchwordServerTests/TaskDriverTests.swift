import Glibc
import Testing
import WatchwordCore
import WatchwordJSON
import WatchwordReactor
import WatchwordTestSupport
import WatchwordTransport
import WatchwordVocabulary

@testable import WatchwordServer

/// A task's driver between its session, its exchange and its output.
@Suite(.serialized) struct TaskDriverTests {
  init() { LoopThread.started }

  private static let basic = [HeaderField("WWW-Authenticate", "Basic realm=\"r\"")]

  /// The hash of a large body is made outside of the loop before the request is sent.
  @Test @ReactorActor func aLargeBodyIsHashedForDigest() async {
    let scene = SessionScene()
    scene.delegate(1, [.digest])
    _ = scene.begin(body: RequestBody(.bytes([UInt8](repeating: 1, count: 65537))))
    scene.engine.exchanges[0].respond(
      401, [HeaderField("WWW-Authenticate", #"Digest realm="r", nonce="n", qop="auth-int""#)])
    scene.reply(scene.challenge, password: "x")
    await DaemonScene.until { scene.engine.exchanges.count == 2 }
    #expect(scene.engine.exchanges.last?.authorization?.contains("qop=auth-int") == true)
    scene.engine.exchanges.last?.respond(200, body: "in")
    #expect(scene.told.last == "t1 200 in")
  }

  /// challenges.md 4.6: what was held cannot be offered again, and is taken by an output that would wait.
  @Test @ReactorActor func aHeldPageGoesToAnOutputWithoutRoom() {
    let scene = SessionScene()
    let output = WaitingOutput()
    scene.delegate(1)
    _ = scene.begin(output: output)
    scene.engine.exchanges[0].respond(401, Self.basic, body: "who?")
    scene.reply(scene.challenge, .performDefaultHandling)
    #expect(output.text == "who?" && scene.told.last == "t1 401")
  }

  /// A task that is cancelled ends at once, even if its output would like to write the rest.
  @Test @ReactorActor func aCancelledTaskDoesNotWaitForItsOutput() {
    let scene = SessionScene()
    let output = WaitingOutput()
    let task = scene.begin(output: output)
    scene.engine.exchanges[0].receive(200)
    #expect(scene.engine.exchanges[0].receive(body: "abc") == .pause)
    task.stop(.cancelled)
    #expect(scene.told == ["t1 cancelled"] && output.isAbandoned && scene.session.tasks.isEmpty)
  }

  /// A body that can be sent once is gone when its first byte has been read, and not before.
  @Test(arguments: [(0, "t1 200 in"), (1, "t1 transport(WatchwordCore.TransportError.bodyNotReplayable)")])
  @ReactorActor func aStreamIsGoneWithItsFirstByte(_ count: Int64, _ expected: String) throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { close(ends[1]) }
    let scene = SessionScene()
    scene.delegate(1)
    _ = scene.begin(body: RequestBody(.stream(try CallerDescriptor(ends[0], of: 1, for: .reading))))
    scene.engine.exchanges[0].sent(count)
    scene.engine.exchanges[0].respond(401, Self.basic)
    scene.reply(scene.challenge, password: "x")
    if scene.engine.exchanges.count == 2 { scene.engine.exchanges[1].respond(200, body: "in") }
    #expect(scene.told.last == expected)
  }

  /// challenges.md 6.5: what is weaker than before is counted.
  @Test @ReactorActor func aWeakerOfferIsCounted() {
    let scene = SessionScene()
    scene.delegate(1, [.basic, .digest])
    let digest = [HeaderField("WWW-Authenticate", #"Digest realm="r", nonce="n""#)]
    for (fields, count) in [(digest, 0), (Self.basic, 1)] {
      _ = scene.begin()
      scene.engine.exchanges.last?.respond(401, fields)
      #expect(scene.counters.challengesDowngraded == count)
      scene.reply(scene.challenge, .cancelAuthenticationChallenge)
    }
    #expect(scene.told.filter { $0 == "warned" }.count == 1)
  }

  /// Each exchange has the method of the credential that it carried.
  @Test @ReactorActor func anExchangeHasTheMethodThatItCarried() async throws {
    try await DaemonScene.call { caller, scene in
      _ = await caller.ask("session/open", #"{"name":"a","delegate":{"tasks":["*"]}}"#)
      let task = await caller.send("fetch", #"{"url":"http://a.example/","session":"a","metrics":true}"#)
      await DaemonScene.until { scene.exchange != nil }
      scene.exchange?.respond(401, Self.basic)
      let challenge = await caller.notification("task/didReceiveChallenge")?["challenge"]?.text ?? ""
      await caller.check(
        "challenge/reply",
        #"{"challenge":"\#(challenge)","disposition":"useCredential","#
          + #""credential":{"user":"joe","password":"pw"}}"#, is: #"{"accepted":true}"#)
      await DaemonScene.until { scene.engines[0].exchanges.count == 2 }
      scene.exchange?.respond(200)
      let exchanges = await caller.reply(to: task)["metrics"]?["exchanges"]?.elements ?? []
      #expect(exchanges.map { $0["authenticationMethod"]?.text ?? "" } == ["", "basic"])
    }
  }

  /// storage.md 9.4.9: a key goes in a field of its own, and no more when it is gone.
  @Test @ReactorActor func aKeyGoesInItsField() async throws {
    try await DaemonScene.call { caller, scene in
      let space =
        #""protectionSpace":{"protocol":"https","host":"a.example","authenticationMethod":"key","field":"X-Key"}"#
      await caller.check(
        "credential/set",
        #"{\#(space),"credential":{"token":"secret","persistence":"forSession"}}"#, is: "{}")
      let fetch = #"{"url":"https://a.example/"}"#
      let first = await caller.send("fetch", fetch)
      await DaemonScene.until { scene.exchange != nil }
      let exchange = try #require(scene.exchange)
      #expect(exchange.keyFields() == ["x-key: secret"] && scene.daemon.counters.preemptive == 1)
      await caller.check("credential/remove", "{\(space)}", is: #"{"removed":1}"#)
      // The same request once more.
      #expect(exchange.keyFields() == [] && scene.daemon.counters.preemptive == 1)
      exchange.respond(200)
      _ = await caller.reply(to: first)
      let second = await caller.send("fetch", fetch)
      await DaemonScene.until { scene.exchange !== exchange }
      #expect(scene.exchange?.keyFields() == [] && scene.daemon.counters.preemptive == 1)
      scene.exchange?.respond(200)
      _ = await caller.reply(to: second)
    }
  }
}

/// Has no room, except for what cannot be offered again, and would write some more at the end.
@ReactorActor
private final class WaitingOutput: TaskOutput {
  var onDrained: (() -> Void)?
  private(set) var text = ""
  private(set) var isAbandoned = false

  func write(_ bytes: UnsafeRawBufferPointer, mayWait: Bool) -> OutputAnswer {
    if mayWait { return .full }
    text += String(decoding: bytes, as: UTF8.self)
    return .taken
  }
  func finish(_ completion: @escaping @ReactorActor (Result<TaskBody, OutputFault>) -> Void) {
    completion(.success(.size(Int64(text.utf8.count))))
  }
  func abandon() { isAbandoned = true }
  func abandonGently(_ completion: @escaping @ReactorActor () -> Void) {}
}
