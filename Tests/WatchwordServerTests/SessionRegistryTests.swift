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

/// The sessions of several uids, and which of them make room (messages.md 4).
@Suite(.serialized) struct SessionRegistryTests {
  init() { LoopThread.started }

  @Test @ReactorActor func sessionsAreListedByName() async throws {
    try await DaemonScene.call { caller, scene in
      for name in ["c", "a", "d", "b"] { _ = await caller.ask("session/open", #"{"name":"\#(name)"}"#) }
      let listed = await caller.ask("session/list")["sessions"]?.elements ?? []
      #expect(listed.map { $0["session"]?.text } == ["a", "b", "c", "d"])
    }
  }

  @Test @ReactorActor func anotherUIDHasItsOwn() async throws {
    try await DaemonScene.call { caller, scene in
      let registry = scene.daemon.registry
      let (own, other) = (caller.peer.process.uid, caller.peer.process.uid + 1)
      _ = await caller.ask("session/open", #"{"name":"a"}"#)
      let theirs = try registry.named("a", of: other, environment: scene.daemon)
      _ = try registry.named("b", of: other, environment: scene.daemon)
      #expect(registry.count(of: own) == 1 && registry.count(of: other) == 2 && registry.count == 3)
      #expect(registry.sessions(of: other).map(\.name) == ["a", "b"])
      #expect(registry.holders(of: own).count == 1 && registry.holders(of: nil).count == 3)
      #expect(registry.all.map(\.uid) == [own, other, other])
      // A change of one is none of the other.
      registry.changes(of: other).add(.trustRemoved)
      var isFollowed = false
      registry.changes(of: other).whenFollowed { isFollowed = true }
      await DaemonScene.until { isFollowed }
      #expect(scene.engines.map(\.closings) == [[], ["all"], ["all"]])
      theirs.invalidate(.invalidated)
      #expect(registry.count(of: other) == 1 && registry.count(of: own) == 1)
      // The rules of the administrator are for all.
      await registry.policyChanged()
      for (uid, last) in [(own, UInt64(1)), (other, 2)] {
        let changes = registry.changes(of: uid)
        #expect(changes.last == last && changes.after(last - 1).isEmpty, "all have followed")
      }
    }
  }

  /// All agents are locked or cleared before the machine sleeps (storage.md 9.11.14).
  @Test @ReactorActor func everyUIDForgetsBeforeSleep() async throws {
    try await DaemonScene.call { caller, scene in
      let other = caller.peer.process.uid + 1
      let theirs = try scene.daemon.registry.named("a", of: other, environment: scene.daemon)
      await caller.check(
        "credential/set",
        #"{"protectionSpace":{"protocol":"http","host":"a.example","authenticationMethod":"bearer"},"#
          + #""credential":{"token":"x","persistence":"forSession"}}"#, is: "{}")
      await scene.daemon.lockForSleep()
      #expect(!theirs.isOver)
      await caller.check("credential/list", is: #"{"credentials":[]}"#)
      let forgotten = { (uid: UInt32) in
        scene.daemon.histories.latest(9, of: uid) { $0.outcome == .forgotten }.count
      }
      #expect(forgotten(other) == 1 && forgotten(caller.peer.process.uid) == 1)
      await scene.daemon.forget(other + 1, for: nil)
    }
  }

  /// storage.md 9.11.14: an agent that was locked with a passphrase is locked with it again.
  @Test @ReactorActor func anAgentIsLockedAgainBeforeSleep() async throws {
    try await DaemonScene.call { caller, scene in
      let uid = caller.peer.process.uid
      await caller.check("agent/lock", #"{"passphrase":"p"}"#, is: #"{"locked":true}"#)
      #expect(scene.daemon.vaults.account(of: uid).isUnderLock)
      await caller.check("agent/unlock", #"{"passphrase":"p"}"#, is: #"{"locked":false}"#)
      #expect(!scene.daemon.vaults.account(of: uid).isUnderLock)
      for _ in 0..<2 {
        await scene.daemon.lockForSleep()
        #expect(scene.daemon.isLocked(uid))
      }
      await caller.check("agent/unlock", #"{"passphrase":"p"}"#, is: #"{"locked":false}"#)
    }
  }

  /// Sessions that are named after settings make room for others: the one that is unused for longest.
  @Test @ReactorActor func theSessionUnusedForLongestMakesRoom() async throws {
    try await DaemonScene.call { caller, scene in
      func open(_ number: Int) async -> String {
        let opened = await caller.ask(
          "session/open", #"{"bySettings":true,"configuration":{"timeouts":{"requestSeconds":\#(number)}}}"#)
        return opened["session"]?.text ?? ""
      }
      /// Leaves a session that keeps something.
      func leave(_ session: String) async {
        let space = #"{"protocol":"http","host":"a.example","authenticationMethod":"bearer"}"#
        _ = await caller.ask(
          "credential/set",
          #"{"session":"\#(session)","protectionSpace":\#(space),"#
            + #""credential":{"token":"x","persistence":"forSession"}}"#)
        _ = await caller.ask("session/close", #"{"session":"\#(session)"}"#)
        await DaemonScene.turn(after: 0.001)
      }
      let isThere = { (name: String) in scene.daemon.registry.all.contains { $0.name == name } }
      _ = await caller.ask("session/open", #"{"name":"mine"}"#)
      await leave("mine")
      let (first, second) = (await open(1), await open(2))
      for number in 3..<Limits.settingsSessionsPerUID { _ = await open(number) }
      await leave(second)
      await leave(first)
      _ = await open(100)
      #expect(isThere(first) && isThere(second))
      _ = await open(101)
      #expect(isThere("mine") && isThere(first) && !isThere(second))
    }
  }

  /// messages.md 6.2.3: cookies stay with settings that lead to the same servers.
  @Test(arguments: [
    (#"{"connectionsPerHost":2}"#, 1), (#"{"connectionsPerHost":2,"cookies":"never"}"#, 0),
    (#"{"addresses":{"resolve":{"a.example:443":"127.0.0.1"}}}"#, 0),
  ])
  @ReactorActor func cookiesStayWithTheirServers(_ configuration: String, _ count: Int) async throws {
    try await DaemonScene.call { caller, scene in
      _ = await caller.ask("session/open", #"{"name":"a"}"#)
      _ = await caller.ask(
        "cookie/set", #"{"session":"a","cookie":{"name":"a","value":"1","domain":"a.example"}}"#)
      await caller.check(
        "session/configure", #"{"session":"a","configuration":\#(configuration)}"#,
        has: #""cookies":\#(1 - count)}"#)
      let cookies = await caller.ask("cookie/list", #"{"session":"a"}"#)["cookies"]?.elements
      #expect(cookies?.count == count && scene.engines.count == 2)
    }
  }
}
