import Glibc
import Testing
import WatchwordCore
import WatchwordJSON
import WatchwordReactor
import WatchwordTestSupport
import WatchwordTransport
import WatchwordVocabulary

@testable import WatchwordServer
@testable import WatchwordVault

/// Hosts of a fleet over a store in memory (storage.md 9.12).
@Suite(.serialized) struct SynchronizerTests {
  init() { LoopThread.started }

  /// 9.12.3.
  @Test @ReactorActor func aCredentialAndItsRemovalReachTheOtherHosts() async throws {
    let (first, second) = (try TemporaryFolder(), try TemporaryFolder())
    let store = FakeStore()
    try await FleetScene.host(first, store) { caller, scene in
      await DaemonScene.until { FleetScene.isWatching(scene) }
      #expect(scene.log.contains { $0.hasPrefix("synchronization begun endpoint=") })
      await caller.check("credential/set", FleetScene.token("x"), is: "{}")
      await DaemonScene.until { FleetScene.isDone(scene) && store.count == 1 }
      #expect(scene.daemon.counters.synchronizationWritten == 1 && store.leases == [nil])
      try await FleetScene.host(second, store) { other, otherScene in
        await DaemonScene.until { FleetScene.isWatching(otherScene) }
        #expect(await FleetScene.credentials(other) == ["a.example synchronizable"])
        #expect(otherScene.daemon.counters.synchronizationTaken == 1)
        await other.check("credential/set", FleetScene.token("y", "b.example"), is: "{}")
        await DaemonScene.until { scene.daemon.counters.synchronizationTaken == 1 }
        #expect(
          await FleetScene.credentials(caller) == ["a.example synchronizable", "b.example synchronizable"])
        await caller.check("credential/remove", "{\(FleetScene.space("a.example"))}", is: #"{"removed":1}"#)
        await DaemonScene.until { otherScene.daemon.counters.synchronizationTaken == 2 }
        #expect(await FleetScene.credentials(other) == ["b.example synchronizable"])
        // A removal stays for half a year.
        await DaemonScene.until { FleetScene.isDone(scene) && FleetScene.isDone(otherScene) }
        #expect(store.count == 2 && store.count(of: "/v3/lease/grant") == 1)
        #expect(store.requests.contains(#"/v3/lease/grant {"TTL":"15552000"}"#))
        #expect(scene.daemon.counters.synchronizationConflicts == 0)
        #expect(scene.daemon.counters.synchronizationFaults == 0)
        #expect(otherScene.daemon.counters.synchronizationForeign == 0)
      }
    }
  }

  /// 9.12.3: changes that the store does not have survive a restart.
  @Test @ReactorActor func whatTheStoreLacksIsWrittenLater() async throws {
    let folder = try TemporaryFolder()
    let store = FakeStore()
    store.answers = { _ in false }
    try await FleetScene.host(folder, store) { caller, scene in
      await caller.check("credential/set", FleetScene.token("x"), is: "{}")
      await DaemonScene.until { !store.requests.isEmpty }
      await caller.check(
        "status", has: #""synchronization":{"state":"reading","endpoint":"http://127.0.0.1:2379","#,
        #""revision":null,"pending":1,"lastError":null}"#)
      #expect(store.count == 0)
    }
    store.answers = { _ in true }
    try await FleetScene.host(folder, store) { caller, scene in
      // What it wrote comes back in the stream.
      await DaemonScene.until {
        FleetScene.isDone(scene) && scene.daemon.synchronizer?.machine.revision(of: getuid()) == 2
      }
      #expect(store.count == 1)
      await caller.check(
        "status", has: #""state":"watching""#, #""revision":2,"pending":0,"lastError":null}"#)
    }
  }

  /// 9.12.7: a lease ends what has an end.
  @Test(arguments: [
    (#","limits":{"lifetimeSeconds":90}"#, ["90"]), ("", []), (#","limits":{"lifetimeSeconds":0.5}"#, ["1"]),
  ])
  @ReactorActor func aLeaseEndsARecord(_ limits: String, _ leases: [String]) async throws {
    let folder = try TemporaryFolder()
    let store = FakeStore()
    try await FleetScene.host(folder, store) { caller, scene in
      await DaemonScene.until { FleetScene.isWatching(scene) }
      await caller.check("credential/set", FleetScene.token("x", "a.example", limits), is: "{}")
      await DaemonScene.until { store.count == 1 }
      #expect(store.leases == [leases.isEmpty ? nil : "7"])
      #expect(
        store.requests.filter { $0.hasPrefix("/v3/lease") }
          == leases.map { #"/v3/lease/grant {"TTL":"\#($0)"}"# })
    }
  }

  /// 9.12.4: two hosts that do not know of each other's change.
  @Test @ReactorActor func twoChangesAreReconciled() async throws {
    let (first, second) = (try TemporaryFolder(), try TemporaryFolder())
    let store = FakeStore()
    try await FleetScene.host(first, store) { caller, scene in
      await DaemonScene.until { FleetScene.isWatching(scene) }
      try await FleetScene.host(second, store) { other, otherScene in
        await DaemonScene.until { FleetScene.isWatching(otherScene) }
        store.answers = { $0 != "/v3/kv/txn" }
        await caller.check("credential/set", FleetScene.token("x"), is: "{}")
        await DaemonScene.until { store.count(of: "/v3/kv/txn") == 1 }
        await other.check("credential/set", FleetScene.token("y"), is: "{}")
        await DaemonScene.until { store.count(of: "/v3/kv/txn") == 2 }
        store.answers = { _ in true }
        for index in store.requests.indices where store.requests[index].hasPrefix("/v3/kv/txn") {
          store.answer(
            store.exchanges[index], "/v3/kv/txn", FakeStore.body(of: store.exchanges[index]))
        }
        await DaemonScene.until { FleetScene.isDone(scene) && FleetScene.isDone(otherScene) }
        let conflicts = (
          scene.daemon.counters.synchronizationConflicts,
          otherScene.daemon.counters.synchronizationConflicts
        )
        #expect(conflicts == (0, 1) && store.count == 1)
      }
    }
  }

  /// 9.12.11: what no host has sealed is passed over, and counted.
  @Test @ReactorActor func foreignRecordsArePassedOver() async throws {
    let folder = try TemporaryFolder()
    let store = FakeStore()
    try await FleetScene.host(folder, store) { caller, scene in
      let name = await FleetScene.nameOfFirst(caller, scene, store)
      let value = try #require(store.value(of: name))
      // Under another name of the same account, and what is no record at all.
      store.put(name.dropLast() + (name.hasSuffix("0") ? "1" : "0"), value)
      store.put(name + "x", "AAAA")
      await DaemonScene.until { scene.daemon.counters.synchronizationForeign == 2 }
      #expect(await FleetScene.credentials(caller) == ["a.example synchronizable"])
      #expect(scene.log.contains("records of the fleet that do not open count=1"))
      // A host that has the credential writes it again.
      store.put(name, "AAAA")
      await DaemonScene.until { scene.daemon.counters.synchronizationForeign == 3 }
      await caller.check("credential/set", FleetScene.token("z"), is: "{}")
      await DaemonScene.until { FleetScene.isDone(scene) }
      #expect(store.value(of: name) != "AAAA")
      #expect(scene.daemon.counters.synchronizationConflicts == 1)
    }
    // All are there when the store is read as a whole.
    try await FleetScene.host(folder, store) { caller, scene in
      await DaemonScene.until { FleetScene.isWatching(scene) }
      #expect(scene.daemon.counters.synchronizationForeign == 2)
      #expect(scene.log.contains("records of the fleet that do not open count=2"))
    }
  }

  /// 9.12.5.
  @Test @ReactorActor func whatTheStoreHasLostIsWrittenAgain() async throws {
    let folder = try TemporaryFolder()
    let store = FakeStore()
    try await FleetScene.host(folder, store) { caller, scene in
      for host in ["a", "b", "c"] {
        await caller.check("credential/set", FleetScene.token("x", "\(host).example"), is: "{}")
      }
      await DaemonScene.until { FleetScene.isDone(scene) && store.count == 3 }
    }
    // A store that has them is read page by page, and nothing is written.
    store.pageRecords = 2
    try await FleetScene.host(folder, store) { caller, scene in
      await DaemonScene.until { FleetScene.isDone(scene) }
      // The second page is of the same revision.
      #expect(store.revisionsRead.suffix(2) == ["", "4"])
      #expect(scene.daemon.counters.synchronizationWritten == 0)
    }
    store.lose()
    try await FleetScene.host(folder, store) { caller, scene in
      await DaemonScene.until { FleetScene.isDone(scene) && store.count == 3 }
      #expect(scene.daemon.counters.synchronizationWritten == 3)
      // A watch whose changes are lost reads the store again.
      store.lose()
      store.say(#""compact_revision":"9","canceled":true"#)
      await DaemonScene.until { FleetScene.isDone(scene) && store.count == 3 }
    }
  }

  /// 9.12.10: while the agent is locked the host takes no part.
  @Test @ReactorActor func aLockedAgentTakesNoPart() async throws {
    let folder = try TemporaryFolder()
    let store = FakeStore()
    try await FleetScene.host(folder, store) { caller, scene in
      await caller.check("credential/set", FleetScene.token("x"), is: "{}")
      await DaemonScene.until { FleetScene.isDone(scene) && store.count == 1 }
      let watch = try #require(store.last("/v3/watch"))
      await caller.check("agent/lock", #"{"passphrase":"p"}"#, is: #"{"locked":true}"#)
      await DaemonScene.until { watch.isCancelled }
      #expect(scene.daemon.synchronizer?.machine.state == .idle)
      #expect(scene.endpointEngines.allSatisfy { $0.engine.isShutDown })
      let before = store.requests.count
      await caller.check("agent/unlock", #"{"passphrase":"p"}"#, is: #"{"locked":false}"#)
      await DaemonScene.until { FleetScene.isWatching(scene) }
      #expect(store.requests.count == before + 2 && scene.endpointEngines.count == 2)
      #expect(await FleetScene.credentials(caller) == ["a.example synchronizable"])
    }
  }

  /// 9.12.3: a removal tells nothing to a host that has no vault, and makes none.
  @Test @ReactorActor func aRemovalMakesNoVault() async throws {
    let (first, second) = (try TemporaryFolder(), try TemporaryFolder())
    let store = FakeStore()
    try await FleetScene.host(first, store) { caller, scene in
      await caller.check("credential/set", FleetScene.token("x"), is: "{}")
      await DaemonScene.until { FleetScene.isDone(scene) && store.count == 1 }
      await caller.check("credential/remove", "{\(FleetScene.space("a.example"))}", is: #"{"removed":1}"#)
      await DaemonScene.until { FleetScene.isDone(scene) && store.leases == ["7"] }
    }
    try await FleetScene.host(second, store) { caller, scene in
      await DaemonScene.until { FleetScene.isWatching(scene) }
      #expect(!scene.daemon.vaults.account(of: getuid()).isOpen && !second.names.contains("state"))
      #expect(scene.daemon.counters.synchronizationTaken == 0)
      // It gets one for what it can use.
      try await FleetScene.host(first, store) { other, otherScene in
        await DaemonScene.until { FleetScene.isWatching(otherScene) }
        await other.check("credential/set", FleetScene.token("y", "b.example"), is: "{}")
        await DaemonScene.until { scene.daemon.counters.synchronizationTaken == 1 }
      }
      #expect(await FleetScene.credentials(caller) == ["b.example synchronizable"])
    }
  }

  /// What a host of a later version has sealed is not written over by one that cannot read it.
  @Test @ReactorActor func aRecordOfALaterVersionIsLeft() async throws {
    let folder = try TemporaryFolder()
    let store = FakeStore()
    try await FleetScene.host(folder, store) { caller, scene in
      let name = await FleetScene.nameOfFirst(caller, scene, store)
      let key = Secret(Array(String(repeating: "k", count: 32).utf8))
      let place = try #require(FleetReader.Place(key, uid: caller.peer.process.uid, under: "/w"))
      let associated = place.keys.associated(String(name.dropFirst(place.prefix.count)))
      let later = try #require(place.keys.seal.seal(Secret(Array(#"{"version":1}"#.utf8)), for: associated))
      store.put(name, Base64.encode(later))
      await caller.check("credential/set", FleetScene.token("z"), is: "{}")
      await DaemonScene.until { scene.daemon.synchronizer?.machine.lastFault == .refused }
      #expect(store.value(of: name) == Base64.encode(later))
      let counters = scene.daemon.counters
      #expect(counters.synchronizationForeign == 0 && counters.synchronizationConflicts == 0)
      // The host has it all the same.
      #expect(await FleetScene.credentials(caller) == ["a.example synchronizable"])
    }
  }

  /// 9.12.11: what is not of the account is foreign, whatever its name.
  @Test @ReactorActor func aRecordOfAnotherPlaceIsForeign() async throws {
    let folder = try TemporaryFolder()
    let store = FakeStore()
    var isAnswered = false
    store.onRequest = { path, exchange in
      guard path == "/v3/kv/range", !isAnswered else { return false }
      isAnswered = true
      let record = #"{"key":"L3g=","mod_revision":"1","value":"AAAA"}"#
      exchange.respond(200, body: #"{"header":{"revision":"1"},"kvs":[\#(record)],"more":false}"#)
      return true
    }
    try await FleetScene.host(folder, store) { caller, scene in
      await DaemonScene.until { FleetScene.isWatching(scene) }
      #expect(scene.daemon.counters.synchronizationForeign == 1)
    }
  }

  /// A host that has stopped writes nothing more.
  @Test @ReactorActor func aHostThatHasStoppedTakesNoPart() async throws {
    let folder = try TemporaryFolder()
    let store = FakeStore()
    try await FleetScene.host(folder, store) { caller, scene in
      await DaemonScene.until { FleetScene.isWatching(scene) }
      scene.daemon.synchronizer?.stop()
      let before = store.requests.count
      await caller.check("credential/set", FleetScene.token("x"), is: "{}")
      // Behind whatever else would read the files of the configuration.
      for _ in 0..<3 {
        await withCheckedContinuation { continuation in
          FleetReader.pool.submit({}, then: { continuation.resume() })
        }
        await DaemonScene.turn()
      }
      #expect(store.requests.count == before && store.count == 0)
    }
  }
}
