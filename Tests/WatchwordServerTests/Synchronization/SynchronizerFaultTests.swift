import Glibc
import Testing
import WatchwordCore
import WatchwordJSON
import WatchwordMessages
import WatchwordReactor
import WatchwordTestSupport
import WatchwordTransport
import WatchwordVocabulary

@testable import WatchwordServer

/// What happens when the fleet's store does not answer as it should (administrator.md 15.4.6).
@Suite(.serialized) struct SynchronizerFaultTests {
  init() { LoopThread.started }

  @ReactorActor private static func fault(_ scene: DaemonScene) -> String? {
    scene.daemon.synchronizer?.machine.lastFault?.rawValue
  }

  /// Lets the store answer in this way, each time with the next of several, until it is well.
  @ReactorActor private static func answer(
    _ store: FakeStore, _ path: String, with answers: [(FakeExchange) -> Void]
  ) {
    var rest = answers[...]
    store.onRequest = { asked, exchange in
      guard asked == path, let answer = rest.popFirst() else { return false }
      answer(exchange)
      return true
    }
  }

  @Test(arguments: [
    (503, "{}", "unavailable"), (401, "{}", "refused"), (404, "x", "malformed"), (200, "x", "malformed"),
    (400, #"{"code":16,"message":"invalid auth token"}"#, "refused"),
    (400, #"{"code":4,"message":"deadline"}"#, "timedOut"),
    (400, #"{"code":3,"message":"bad"}"#, "refused"),
  ])
  @ReactorActor func aFaultIsToldAndTriedAgain(_ status: Int, _ body: String, _ expected: String) async throws
  {
    let folder = try TemporaryFolder()
    let store = FakeStore()
    Self.answer(store, "/v3/kv/range", with: [{ $0.respond(status, body: body) }])
    try await FleetScene.host(folder, store, endpoints: 2) { caller, scene in
      let first = scene.daemon.synchronizer?.machine.endpoint
      await DaemonScene.until { Self.fault(scene) != nil }
      #expect(Self.fault(scene) == expected && scene.daemon.counters.synchronizationFaults == 1)
      #expect(scene.daemon.synchronizer?.machine.state == .waiting)
      #expect(scene.daemon.synchronizer?.machine.endpoint != first)
      // What `status` shows, before the next attempt begins.
      let shown = scene.daemon.synchronizer?.description(for: caller.peer.process.uid)
      #expect(shown?.state == "waiting" && shown?.lastError == expected)
      await DaemonScene.until { FleetScene.isWatching(scene) }
      #expect(Self.fault(scene) == nil && scene.endpointEngines.count == 2)
      #expect(
        scene.log.filter { $0.hasPrefix("synchronization ") } == [
          "synchronization disturbed endpoint=http://127.0.0.1:2379 reason=\(expected)",
          "synchronization begun endpoint=http://127.0.0.1:2379",
        ])
    }
  }

  @Test(
    arguments: [
      (.connectionFailed(nil), "unreachable"), (.tlsFailed(nil), "untrusted"),
      (.timedOut(.request), "timedOut"),
    ] as [(TransportError, String)])
  @ReactorActor func aLostConnectionIsMadeAgain(_ error: TransportError, _ expected: String) async throws {
    let folder = try TemporaryFolder()
    let store = FakeStore()
    Self.answer(store, "/v3/kv/range", with: [{ $0.finish(error) }])
    try await FleetScene.host(folder, store) { caller, scene in
      await DaemonScene.until { Self.fault(scene) != nil }
      #expect(Self.fault(scene) == expected)
      await DaemonScene.until { FleetScene.isWatching(scene) }
    }
  }

  /// administrator.md 15.4.4.
  @Test @ReactorActor func aUserGetsATokenFirst() async throws {
    let folder = try TemporaryFolder()
    let store = FakeStore()
    let file = try folder.write("pass\n", to: "password", mode: 0o600)
    let user = SynchronizationSettings.User(name: "host", passwordFile: file)
    try await FleetScene.host(folder, store, user: user) { caller, scene in
      await DaemonScene.until { FleetScene.isWatching(scene) }
      #expect(store.requests[0] == #"/v3/auth/authenticate {"name":"host","password":"pass"}"#)
      let tokens = store.exchanges.map(\.authorization)
      #expect(tokens == [nil, "t-host", "t-host"])
    }
    Self.answer(store, "/v3/auth/authenticate", with: [{ $0.respond(200, body: "{}") }])
    try await FleetScene.host(folder, store, user: user) { caller, scene in
      await DaemonScene.until { Self.fault(scene) != nil }
      #expect(Self.fault(scene) == "malformed")
      await DaemonScene.until { FleetScene.isWatching(scene) }
    }
    for text in ["two\nlines\n", "", "\u{1}"] {
      try folder.write(text, to: "password", mode: 0o600)
      try await FleetScene.host(folder, nil, user: user) { _, scene in
        await DaemonScene.until { Self.fault(scene) == "fileUnusable" }
      }
    }
    try folder.write([0xFF, 10], to: "password", mode: 0o600)
    try await FleetScene.host(folder, nil, user: user) { _, scene in
      await DaemonScene.until { Self.fault(scene) == "fileUnusable" }
      #expect(scene.endpointEngines.isEmpty)
    }
  }

  /// The key file has 32 bytes or more, and is private.
  @Test @ReactorActor func filesThatCannotBeUsedAreAFault() async throws {
    let folder = try TemporaryFolder()
    let store = FakeStore()
    try await FleetScene.host(folder, store, key: String(repeating: "k", count: 31)) { _, scene in
      await DaemonScene.until { Self.fault(scene) == "fileUnusable" }
    }
    try await FleetScene.host(folder, store, roots: folder.path(of: "none")) { _, scene in
      await DaemonScene.until { Self.fault(scene) == "fileUnusable" }
    }
    #expect(store.requests.isEmpty)
    let roots = try folder.write("these", to: "roots")
    try await FleetScene.host(folder, store, roots: roots) { _, scene in
      await DaemonScene.until { FleetScene.isWatching(scene) }
      let settings = scene.endpointEngines[0].settings
      #expect(settings.extraRoots == "these" && settings.cookiePolicy == .never)
    }
    try await FleetScene.host(folder, store) { _, scene in
      scene.daemon.registry.engineMaker = { (_, _, _) throws(EngineFault) in throw .rootsUnreadable }
      await DaemonScene.until { Self.fault(scene) == "fileUnusable" }
    }
  }

  @Test(arguments: [
    (#"{"result":{"watch_id":"1","canceled":true}}"# + "\n", "refused"), ("x\n", "malformed"),
    (#"{"result":{"watch_id":"2","created":true}}"# + "\n", "malformed"),
    (#"{"result":{"watch_id":"0","created":true}}"# + "\n", "malformed"), ("", "unreachable"),
  ])
  @ReactorActor func aStreamThatEndsIsBegunAgain(_ text: String, _ expected: String) async throws {
    let folder = try TemporaryFolder()
    let store = FakeStore()
    try await FleetScene.host(folder, store) { caller, scene in
      await DaemonScene.until { FleetScene.isWatching(scene) }
      let watch = try #require(store.last("/v3/watch"))
      watch.receive(body: text)
      if text.isEmpty { watch.finish() }
      await DaemonScene.until { Self.fault(scene) != nil }
      #expect(Self.fault(scene) == expected)
      await DaemonScene.until { FleetScene.isWatching(scene) }
      #expect(store.count(of: "/v3/watch") == 2)
    }
  }

  @Test(arguments: [
    (401, "{}", "refused"), (400, #"{"code":14,"message":"no leader"}"#, "malformed"),
    (503, "", "unavailable"),
  ])
  @ReactorActor func aStreamThatIsRefusedSaysWhy(_ status: Int, _ body: String, _ expected: String)
    async throws
  {
    let folder = try TemporaryFolder()
    let store = FakeStore()
    Self.answer(store, "/v3/watch", with: [{ $0.respond(status, body: body) }])
    try await FleetScene.host(folder, store) { caller, scene in
      await DaemonScene.until { Self.fault(scene) != nil }
      #expect(Self.fault(scene) == expected)
      await DaemonScene.until { FleetScene.isWatching(scene) }
    }
  }

  /// Lines that wait are bounded: the stream waits then.
  @Test(arguments: [(15, []), (16, ["pause", "resume"]), (40, ["pause", "resume"])] as [(Int, [String])])
  @ReactorActor func soManyLinesWait(_ count: Int, _ calls: [String]) async throws {
    let folder = try TemporaryFolder()
    let store = FakeStore()
    try await FleetScene.host(folder, store) { caller, scene in
      await DaemonScene.until { FleetScene.isWatching(scene) }
      let watch = try #require(store.last("/v3/watch"))
      // The first one is taken at once.
      let lines = (0...count).map { #"{"result":{"header":{"revision":"\#($0 + 10)"},"watch_id":"1"}}"# }
      watch.receive(body: lines.joined(separator: "\n") + "\n")
      await DaemonScene.until {
        scene.daemon.synchronizer?.machine.revision(of: getuid()) == Int64(count + 10)
      }
      #expect(watch.calls == calls)
    }
  }

  /// 9.12.4: a write that has no answer is tried again; a change that the store does not take waits.
  @Test @ReactorActor func aWriteIsTriedAgain() async throws {
    let folder = try TemporaryFolder()
    let store = FakeStore()
    try await FleetScene.host(folder, store, endpoints: 2) { caller, scene in
      await DaemonScene.until { FleetScene.isWatching(scene) }
      Self.answer(
        store, "/v3/kv/txn",
        with: [
          { $0.finish(.timedOut(.request)) }, { $0.respond(400, body: #"{"code":3,"message":"too large"}"#) },
        ])
      await caller.check("credential/set", FleetScene.token("x"), is: "{}")
      await DaemonScene.until { Self.fault(scene) == "refused" }
      #expect(store.count(of: "/v3/kv/txn") == 2 && scene.daemon.counters.synchronizationFaults == 1)
      #expect(FleetScene.isDone(scene) && store.count == 0)
      await caller.check("status", has: #""pending":1,"lastError":"refused""#)
      // With the next change it has another chance.
      await caller.check("credential/set", FleetScene.token("y"), is: "{}")
      await DaemonScene.until { store.count == 1 && FleetScene.isDone(scene) }
      await caller.check("status", has: #""pending":0"#)
    }
  }

  @Test(arguments: [
    (#"{"header":{"revision":"5"}}"#, 200, "malformed", 1),
    (#"{"code":3,"message":"ttl"}"#, 400, "refused", 0),
    ("{}", 503, "unavailable", 1),
  ])
  @ReactorActor func aLeaseThatIsNotGrantedIsAFault(
    _ body: String, _ status: Int, _ expected: String, _ faults: Int
  ) async throws {
    let folder = try TemporaryFolder()
    let store = FakeStore()
    try await FleetScene.host(folder, store) { caller, scene in
      await DaemonScene.until { FleetScene.isWatching(scene) }
      Self.answer(store, "/v3/lease/grant", with: [{ $0.respond(status, body: body) }])
      await caller.check(
        "credential/set", FleetScene.token("x", "a.example", #","limits":{"lifetimeSeconds":90}"#), is: "{}")
      await DaemonScene.until { Self.fault(scene) != nil }
      #expect(Self.fault(scene) == expected && scene.daemon.counters.synchronizationFaults == faults)
    }
  }

  /// A page that is too large is asked for again with fewer records.
  @Test @ReactorActor func aPageThatIsTooLargeIsMadeSmaller() async throws {
    let folder = try TemporaryFolder()
    let store = FakeStore()
    Self.answer(
      store, "/v3/kv/range",
      with: [
        { exchange in
          exchange.receive(200)
          let piece = String(repeating: " ", count: 1 << 20)
          for _ in 0...16 { exchange.receive(body: piece) }
          exchange.finish()
        }, { $0.respond(400, body: #"{"code":11,"message":"revision has been compacted"}"#) },
      ])
    try await FleetScene.host(folder, store) { caller, scene in
      await DaemonScene.until { FleetScene.isWatching(scene) }
      let limits = store.requests.compactMap {
        $0.split(separator: #""limit":""#).dropFirst().first?.prefix(3)
      }
      #expect(limits == [#"128"#, #"64""#, #"64""#])
      #expect(scene.daemon.counters.synchronizationFaults == 0)
    }
  }
}
