import Glibc
import Testing
import WatchwordCore
import WatchwordJSON
import WatchwordReactor
import WatchwordTestSupport
import WatchwordTransport
import WatchwordVocabulary

@testable import WatchwordServer

/// When a daemon ends, and what is still done before (messages.md 11).
@Suite(.serialized) struct DaemonLifeTests {
  init() { LoopThread.started }

  private static let fetch = #"{"url":"http://a.example/"}"#

  @Test @ReactorActor func aDaemonWithoutTasksEndsAtOnce() async throws {
    try await DaemonScene.run { scene in
      scene.daemon.stop(isGraceful: true)
      await DaemonScene.until { scene.hasEnded }
      #expect(scene.log == ["stopping tasks=0"] && scene.daemon.isUsed)
    }
  }

  @Test @ReactorActor func aRunningTaskIsFinishedFirst() async throws {
    try await DaemonScene.call { caller, scene in
      let task = await caller.send("fetch", Self.fetch)
      await DaemonScene.until { scene.exchange != nil }
      await caller.check("server/shutdown", #"{"graceful":true}"#, is: #"{"stopping":true}"#)
      await caller.check("fetch", Self.fetch, is: "shuttingDown: the daemon is stopping")
      #expect(!scene.hasEnded && scene.engines[0].exchanges.count == 1)
      scene.exchange?.respond(200, body: "x")
      let reply = await caller.reply(to: task)
      #expect(reply["status"] == .integer(200))
      #expect(await caller.notification("session/didInvalidate")?["reason"]?.text == "shutdown")
      #expect(await caller.line() == nil)
      await DaemonScene.until { scene.hasEnded }
      #expect(scene.daemon.registry.count == 0 && scene.daemon.peers.isEmpty)
    }
  }

  @Test @ReactorActor func aStopThatIsNotGracefulCancelsTasks() async throws {
    try await DaemonScene.call { caller, scene in
      let task = await caller.send("fetch", Self.fetch)
      await DaemonScene.until { scene.exchange != nil }
      _ = await caller.send("server/shutdown", #"{"graceful":false}"#)
      let reply = Caller.text(await caller.reply(to: task))
      #expect(reply == "taskInterrupted: the daemon stopped before the task ended")
      await DaemonScene.until { scene.hasEnded }
      #expect(scene.engines[0].isShutDown && scene.engines[0].exchanges[0].isCancelled)
    }
  }

  @Test @ReactorActor func aSecondStopDoesNotWaitForTasks() async throws {
    try await DaemonScene.call { caller, scene in
      let task = await caller.send("fetch", Self.fetch)
      await DaemonScene.until { scene.exchange != nil }
      scene.daemon.stop(isGraceful: true)
      scene.daemon.stop(isGraceful: true)
      let reply = Caller.text(await caller.reply(to: task))
      #expect(reply == "taskInterrupted: the daemon stopped before the task ended")
      await DaemonScene.until { scene.hasEnded }
    }
  }

  /// One that does not read is not waited for when the daemon is told again.
  @Test @ReactorActor func aThirdStopClosesEveryConnection() async throws {
    try await DaemonScene.call { caller, scene in
      var text = ""
      for number in 0..<2000 { text += #"{"jsonrpc":"2.0","id":\#(number),"method":"status"}"# + "\n" }
      await caller.write(text)
      // More waits than its socket takes.
      await DaemonScene.until { caller.peer.isCongested }
      scene.daemon.stop(isGraceful: false)
      await DaemonScene.turn()
      #expect(!scene.daemon.peers.isEmpty && !scene.hasEnded)
      scene.daemon.stop(isGraceful: false)
      #expect(scene.daemon.peers.isEmpty)
      await DaemonScene.until { scene.hasEnded }
      for _ in 0..<3 { await DaemonScene.turn() }
      #expect(scene.endings == 1)
    }
  }

  @Test @ReactorActor func anUnusedDaemonEnds() async throws {
    try await DaemonScene.run({ $0.idleExitSeconds = 0.01 }) { scene in
      let caller = try scene.connect()
      _ = await caller.ask("session/open", #"{"name":"a"}"#)
      let task = await caller.send("fetch", #"{"url":"http://a.example/","session":"a","detached":true}"#)
      await DaemonScene.until { scene.exchange != nil }
      caller.close()
      await DaemonScene.until { scene.daemon.peers.isEmpty }
      _ = task
      await DaemonScene.turn(after: 0.02)
      #expect(!scene.hasEnded && scene.daemon.isUsed)
      scene.exchange?.respond(200)
      await DaemonScene.until { scene.hasEnded }
      #expect(scene.log.contains("idle") && scene.log.last == "stopping tasks=0")
    }
  }

  @Test(arguments: [
    ("agent/lock", #"{"passphrase":"p"}"#, true),
    (
      "credential/set",
      #"{"protectionSpace":{"protocol":"http","host":"a.example","authenticationMethod":"bearer"},"#
        + #""credential":{"token":"x","persistence":"forSession"}}"#, true
    ), ("session/open", #"{"name":"a"}"#, false), ("session/open", "{}", false),
  ])
  @ReactorActor func whatIsHeldKeepsTheDaemon(_ method: String, _ params: String, _ isUsed: Bool) async throws
  {
    try await DaemonScene.run { scene in
      #expect(!scene.daemon.isUsed)
      let caller = try scene.connect()
      #expect(scene.daemon.isUsed)
      _ = await caller.ask(method, params)
      caller.close()
      await DaemonScene.until { scene.daemon.peers.isEmpty }
      #expect(scene.daemon.isUsed == isUsed)
    }
  }

  @Test @ReactorActor func aDaemonThatIsUsedAgainStays() async throws {
    try await DaemonScene.run({ $0.idleExitSeconds = 0.01 }) { scene in
      scene.daemon.restIfUnused()
      await DaemonScene.turn()
      let caller = try scene.connect()
      await DaemonScene.turn(after: 0.02)
      #expect(!scene.hasEnded)
      await caller.check("ping", is: "{}")
    }
  }

  /// Without a time it stays.
  @Test @ReactorActor func aDaemonThatWasNotStartedOnDemandStays() async throws {
    try await DaemonScene.run { scene in
      let caller = try scene.connect()
      await caller.check("ping", is: "{}")
      caller.close()
      await DaemonScene.until { scene.daemon.peers.isEmpty }
      for _ in 0..<3 { await DaemonScene.turn() }
      #expect(!scene.hasEnded && scene.log == [])
    }
  }

  /// storage.md 9.12.3: the fleet has the last change first.
  @Test @ReactorActor func anUnusedDaemonWritesItsLastChange() async throws {
    let folder = try TemporaryFolder()
    let store = FakeStore()
    try await FleetScene.host(folder, store, { $0.idleExitSeconds = 0.01 }) { caller, scene in
      await DaemonScene.until { FleetScene.isWatching(scene) }
      store.answers = { $0 != "/v3/kv/txn" }
      await caller.check("credential/set", FleetScene.token("x"), is: "{}")
      await DaemonScene.until { store.count(of: "/v3/kv/txn") == 1 }
      caller.close()
      await DaemonScene.turn(after: 0.05)
      #expect(!scene.hasEnded && !scene.daemon.isUsed)
      let write = try #require(store.last("/v3/kv/txn"))
      store.answer(write, "/v3/kv/txn", FakeStore.body(of: write))
      await DaemonScene.until { scene.hasEnded }
      #expect(store.count == 1)
    }
  }

  /// messages.md 2.1.4: what the fleet's store says does not shorten the time in which a daemon may be used again.
  @Test @ReactorActor func aDaemonThatIsNotIdleYetStays() async throws {
    try await DaemonScene.run({ $0.idleExitSeconds = 3600 }) { scene in
      scene.daemon.idleExit.synchronizationChanged()
      #expect(!scene.daemon.isStopping)
      scene.daemon.idleExit.begin()
      scene.daemon.idleExit.cancel()
      scene.daemon.idleExit.synchronizationChanged()
      #expect(!scene.daemon.isStopping)
    }
  }
}
