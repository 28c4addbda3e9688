import Testing
import WatchwordCore
import WatchwordJSON
import WatchwordReactor
import WatchwordTestSupport
import WatchwordTransport
import WatchwordVocabulary

@testable import WatchwordServer

/// What the daemon counts, and when it tells of changes (messages.md 11.1).
@Suite(.serialized) struct CounterTests {
  init() { LoopThread.started }

  private static let basic = [HeaderField("WWW-Authenticate", #"Basic realm="r""#)]

  @ReactorActor private static func counters(_ caller: Caller) async -> [String: Int64] {
    guard case .object(let counters)? = await caller.ask("status")["counters"] else { return [:] }
    var values: [String: Int64] = [:]
    for member in counters.members {
      if case .integer(let value) = member.value, value != 0 { values[member.name] = value }
    }
    return values
  }

  @Test @ReactorActor func aChallengeOfTwoTasksIsCounted() async throws {
    try await DaemonScene.call { caller, scene in
      _ = await caller.ask("session/open", #"{"name":"a","delegate":{"tasks":["*"]}}"#)
      var tasks: [Int] = []
      for _ in 0..<2 {
        tasks.append(await caller.send("fetch", #"{"url":"http://a.example/","session":"a"}"#))
      }
      await DaemonScene.until { scene.engines.first?.exchanges.count == 2 }
      let engine = scene.engines[0]
      for exchange in engine.exchanges { exchange.respond(401, Self.basic) }
      let challenge = await caller.notification("task/didReceiveChallenge")?["challenge"]?.text ?? ""
      await caller.check(
        "challenge/reply",
        #"{"challenge":"\#(challenge)","disposition":"useCredential","credential":{"user":"u","#
          + #""password":"p"}}"#,
        is: #"{"accepted":true}"#)
      var metrics = ExchangeMetrics()
      (metrics.isReused, metrics.bytesSent, metrics.bytesReceived) = (true, 3, 4)
      var next = 2
      while next < engine.exchanges.count {
        engine.exchanges[next].receive(200)
        engine.exchanges[next].finish(metrics: metrics)
        next += 1
        await DaemonScene.turn()
      }
      for task in tasks { _ = await caller.reply(to: task) }
      let other = await caller.send("fetch", #"{"url":"http://b.example/","session":"a"}"#)
      await DaemonScene.until { engine.exchanges.count == 5 }
      scene.exchange?.finish(.nameNotResolved)
      _ = await caller.reply(to: other)
      let counted = await Self.counters(caller)
      #expect(
        counted == [
          "fetches.started": 3, "fetches.succeeded": 2, "fetches.failed": 1, "fetches.responses.2xx": 2,
          "exchanges": 5, "challenges.raised": 1, "challenges.raised.basic": 1, "challenges.coalesced": 1,
          "challenges.answered": 1, "challenges.answered.useCredential": 1, "challenges.settled.answered": 1,
          "connections.opened": 3, "connections.reused": 2, "bytes.sent": 6, "bytes.received": 8,
          "status.rounds": 1, "history.entries": 3,
        ])
    }
  }

  /// A subscriber is told of a change once, and of nothing else.
  @Test @ReactorActor func nothingIsToldWithoutAChange() async throws {
    try await DaemonScene.call { caller, scene in
      _ = await caller.ask("session/open", #"{"name":"a"}"#)
      await caller.check("status/subscribe", #"{"intervalSeconds":0.1}"#, is: #"{"subscribed":true}"#)
      _ = await caller.notification("status/didChange")
      await DaemonScene.turn(after: 0.15)
      #expect(scene.daemon.counters.statusRounds == 1)
      for _ in 0..<3 { scene.daemon.noteChange() }
      _ = await caller.notification("status/didChange")
      await DaemonScene.turn(after: 0.15)
      #expect(scene.daemon.counters.statusRounds == 2)
      let methods = await caller.methods()
      #expect(methods.isEmpty)
    }
  }

  /// Several subscribers share a round.
  @Test @ReactorActor func oneRoundIsForAll() async throws {
    try await DaemonScene.call { caller, scene in
      let other = try scene.connect()
      for caller in [caller, other] {
        await caller.check("status/subscribe", #"{"intervalSeconds":0.1}"#, is: #"{"subscribed":true}"#)
        _ = await caller.notification("status/didChange")
      }
      await DaemonScene.turn(after: 0.2)
      let before = scene.daemon.counters.statusRounds
      _ = await caller.ask("session/open", #"{"name":"a"}"#)
      for caller in [caller, other] {
        let told = await caller.notification("status/didChange")
        #expect(told?["sessions"]?.elements.count == 1)
      }
      await DaemonScene.turn(after: 0.15)
      #expect(scene.daemon.counters.statusRounds == before + 1)
    }
  }

  /// messages.md 5.4: what each exchange of a task cost.
  @Test @ReactorActor func metricsAreOfExchanges() async throws {
    try await DaemonScene.call { caller, scene in
      _ = await caller.ask("session/open", #"{"name":"a","delegate":{"tasks":["*"]}}"#)
      let task = await caller.send("fetch", #"{"url":"https://a.example/","session":"a","metrics":true}"#)
      await DaemonScene.until { scene.exchange != nil }
      // A handshake that stops for a question has sent no request.
      scene.exchange?.finish(.serverTrustUndecided(try TestCertificates.untrusted()))
      for number in 0..<2 {
        let challenge = await caller.notification("task/didReceiveChallenge")?["challenge"]?.text ?? ""
        let answer =
          number == 0
          ? #""useCredential","credential":{"trust":"certificate","persistence":"forSession"}"#
          : #""performDefaultHandling""#
        await caller.check(
          "challenge/reply", #"{"challenge":"\#(challenge)","disposition":\#(answer)}"#,
          is: #"{"accepted":true}"#)
        await DaemonScene.until { scene.engines[0].exchanges.count == number + 2 }
        guard number == 0 else { continue }
        // With TLS 1.3 the request has gone before the server asks.
        var metrics = ExchangeMetrics()
        metrics.bytesSent = 9
        scene.exchange?.finish(.clientCertificateUndecided(TestCertificates.request), metrics: metrics)
      }
      scene.exchange?.respond(200)
      let exchanges = await caller.reply(to: task)["metrics"]?["exchanges"]?.elements ?? []
      #expect(exchanges.count == 2 && exchanges.last?["status"] == .integer(200))
      // Each beginning of the same exchange is one.
      #expect(scene.daemon.counters.exchanges == 1)
    }
  }

  /// The rest of a refusal is read for a while only, each time that something comes of it.
  @Test @ReactorActor func theRestOfARefusalIsLimited() async throws {
    try await DaemonScene.call { caller, scene in
      _ = await caller.ask("session/open", #"{"name":"a","delegate":{"tasks":["*"]}}"#)
      let task = await caller.send("fetch", #"{"url":"http://a.example/","session":"a"}"#)
      await DaemonScene.until { scene.exchange != nil }
      let refused = try #require(scene.exchange)
      refused.receive(401, Self.basic)
      let before = refused.calls.count
      refused.receive(body: "")
      #expect(refused.calls.count == before)
      refused.receive(body: "refu")
      refused.receive(body: "sed")
      #expect(refused.calls.count == before + 2 && refused.calls.allSatisfy { $0 == "limitRest" })
      refused.finish()
      let challenge = await caller.notification("task/didReceiveChallenge")?["challenge"]?.text ?? ""
      await caller.check(
        "challenge/reply", #"{"challenge":"\#(challenge)","disposition":"performDefaultHandling"}"#,
        is: #"{"accepted":true}"#)
      let reply = await caller.reply(to: task)
      #expect(reply["status"] == .integer(401) && reply["body"]?["text"]?.text == "refused")
      #expect(reply["truncated"] == nil || reply["truncated"] == .bool(false))
      // A result is read for as long as it comes.
      let next = await caller.send("fetch", #"{"url":"http://b.example/","session":"a"}"#)
      await DaemonScene.until { scene.exchange !== refused }
      scene.exchange?.respond(200, body: "x")
      _ = await caller.reply(to: next)
      #expect(scene.exchange?.calls == [])
    }
  }
}
