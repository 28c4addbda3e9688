import Glibc
import Testing
import WatchwordCore
import WatchwordJSON
import WatchwordReactor
import WatchwordTestSupport
import WatchwordTransport
import WatchwordVocabulary

@testable import WatchwordServer

/// Who sees what in `status` and `explain` (messages.md 11.1).
@Suite(.serialized) struct StatusViewTests {
  init() { LoopThread.started }

  private static let basic = [HeaderField("WWW-Authenticate", #"Basic realm="r""#)]

  private static func set(_ session: String, _ host: String = "a.example") -> String {
    #"{"session":"\#(session)","protectionSpace":{"protocol":"http","host":"\#(host)","#
      + #""authenticationMethod":"bearer"},"credential":{"token":"x","persistence":"forSession"}}"#
  }

  /// The credentials that are shown of each session.
  @ReactorActor private static func credentials(_ caller: Caller) async -> [Int] {
    let sessions = await caller.ask("status")["sessions"]?.elements ?? []
    return sessions.map { $0["credentials"]?.elements.count ?? -1 }.sorted()
  }

  @Test @ReactorActor func aPrivateSessionIsShownToItsHolder() async throws {
    try await DaemonScene.call { caller, scene in
      let own = await caller.ask("session/open")["session"]?.text ?? ""
      await caller.check("credential/set", Self.set(own), is: "{}")
      _ = await caller.ask("session/open", #"{"name":"n"}"#)
      for host in ["a.example", "b.example"] {
        await caller.check("credential/set", Self.set("n", host), is: "{}")
      }
      #expect(await Self.credentials(caller) == [1, 2])
      // Root sees that there is one, and not what it has.
      let other = try scene.connect()
      #expect(await Self.credentials(other) == (getuid() == 0 ? [0, 2] : [2]))
      #expect(await Self.credentials(caller) == [1, 2])
    }
  }

  /// Only the connection of the task sees the query of its URL.
  @Test @ReactorActor func aChallengeIsShownWithItsQueryToItsOwn() async throws {
    try await DaemonScene.call { caller, scene in
      let other = try scene.connect()
      for one in [caller, other] {
        _ = await one.ask("session/open", #"{"name":"a","delegate":{"tasks":["*"]}}"#)
      }
      _ = await caller.ask("task/start", #"{"url":"http://a.example/x?secret","session":"a"}"#)
      await DaemonScene.until { scene.exchange != nil }
      scene.exchange?.respond(401, Self.basic)
      _ = await caller.notification("task/didReceiveChallenge")
      for (one, isOwn) in [(caller, true), (other, false), (caller, true)] {
        let challenges = await one.ask("status")["challenges"]?.elements ?? []
        #expect(challenges.count == 1)
        #expect(challenges.map(Caller.text).joined().contains("?secret") == isOwn)
      }
      // Both are told of it in one round.
      for one in [caller, other] {
        await one.check("status/subscribe", #"{"intervalSeconds":0.1}"#, is: #"{"subscribed":true}"#)
      }
      for (one, isOwn) in [(caller, true), (other, false)] {
        let status = await one.notification("status/didChange")
        #expect(status.map(Caller.text)?.contains("?secret") == isOwn)
      }
    }
  }

  @Test @ReactorActor func eachChallengeOfASessionIsShown() async throws {
    try await DaemonScene.call { caller, scene in
      _ = await caller.ask("session/open", #"{"name":"a","delegate":{"tasks":["*"]}}"#)
      for host in ["a.example", "b.example"] {
        let last = scene.exchange
        _ = await caller.ask("task/start", #"{"url":"http://\#(host)/","session":"a"}"#)
        await DaemonScene.until { scene.exchange !== last }
        scene.exchange?.respond(401, Self.basic)
        _ = await caller.notification("task/didReceiveChallenge")
      }
      let challenges = await caller.ask("status")["challenges"]?.elements ?? []
      let origins = challenges.map { $0["origin"]?.text }
      #expect(origins == ["http://a.example:80", "http://b.example:80"])
      for params in ["{}", #"{"session":"a"}"#] {
        let listed = await caller.ask("challenge/list", params)["challenges"]?.elements ?? []
        #expect(listed.map { $0["origin"]?.text } == origins)
      }
    }
  }

  /// Of each task that waits there is the program that wants it.
  @Test @ReactorActor func aChallengeIsShownWithItsWaiters() async throws {
    try await DaemonScene.call { caller, scene in
      _ = await caller.ask("session/open", #"{"name":"a","delegate":{"tasks":["*"]}}"#)
      for name in ["s", "t"] {
        let last = scene.exchange
        _ = await caller.ask(
          "task/start", #"{"url":"http://a.example/","session":"a","task":"\#(name)"}"#)
        await DaemonScene.until { scene.exchange !== last }
        scene.exchange?.respond(401, Self.basic)
      }
      _ = await caller.notification("task/didReceiveChallenge")
      let challenges = await caller.ask("status")["challenges"]?.elements ?? []
      let waiters = challenges.first?["waiters"]?.elements ?? []
      let program = try #require(caller.peer.process.executable)
      #expect(waiters.map { $0["task"]?.text } == ["s", "t"])
      #expect(waiters.allSatisfy { $0["executable"]?.text == program })
    }
  }

  /// As they were given; what is not said is what everyone has.
  @Test(arguments: [("", nil), (#","trustVerdicts":"refused""#, "refused")])
  @ReactorActor func aHolderIsShownWithItsDelegate(_ member: String, _ expected: String?) async throws {
    try await DaemonScene.call { caller, _ in
      _ = await caller.ask("session/open", #"{"name":"a","delegate":{"tasks":["basic"]\#(member)}}"#)
      let holders = await caller.ask("session/describe", #"{"session":"a"}"#)["holders"]?.elements ?? []
      let delegate = holders.first?["delegate"]
      #expect(delegate?["tasks"]?.elements.map(\.text) == ["basic"])
      #expect(delegate?["trustVerdicts"]?.text == expected)
    }
  }

  @Test @ReactorActor func usageIsThatOfTheUid() async throws {
    try await DaemonScene.call { caller, scene in
      for count in Int64(1)...3 {
        let usage = await caller.ask("status")["usage"]
        #expect(usage?["connectionsPerUid"] == .integer(count) && usage?["connections"] == .integer(count))
        _ = try scene.connect()
      }
      for (count, name) in ["a", "b"].enumerated() {
        _ = await caller.ask("session/open", #"{"name":"\#(name)"}"#)
        #expect(await caller.ask("status")["usage"]?["sessionsPerUid"] == .integer(Int64(count + 1)))
      }
    }
  }

  /// Each subscriber has an interval of its own.
  @Test @ReactorActor func aSubscriberIsToldNoSoonerThanItWants() async throws {
    try await DaemonScene.run { scene in
      let (often, seldom) = (try scene.connect(), try scene.connect())
      for (one, seconds) in [(seldom, 3600.0), (often, 0.1)] {
        await one.check(
          "status/subscribe", #"{"intervalSeconds":\#(seconds)}"#, is: #"{"subscribed":true}"#)
        #expect(await one.notification("status/didChange") != nil)
      }
      _ = await seldom.methods()
      _ = await (try scene.connect()).ask("session/open", #"{"name":"a"}"#)
      var isTold = false
      while !isTold, let status = await often.notification("status/didChange") {
        isTold = status["sessions"]?.elements.count == 1
      }
      #expect(isTold)
      #expect(await seldom.methods().isEmpty)
    }
  }

  /// A session may turn methods off, and the order is its own.
  @Test(arguments: [
    (#"{"disabled":["digest"]}"#, false), (#"{"order":["basic","digest"]}"#, true),
  ])
  @ReactorActor func methodsAreShownAsTheyAreTried(_ methods: String, _ hasDigest: Bool) async throws {
    try await DaemonScene.call { caller, _ in
      let opened = await caller.ask(
        "session/open", #"{"name":"a","configuration":{"methods":\#(methods)}}"#)
      #expect(opened["session"]?.text == "a")
      let explained = await caller.ask("explain", #"{"url":"http://a.example/","session":"a"}"#)
      let shown = explained["methods"]?.elements.map(\.text) ?? []
      #expect(shown.contains("digest") == hasDigest && shown.contains("basic"))
      // Those that are decided in a handshake are not among them.
      #expect(!shown.contains("serverTrust") && !shown.contains("clientCertificate"))
      #expect(!hasDigest || shown == ["basic", "digest"])
    }
  }

  /// The number of connections of each restriction, and of no other.
  @Test @ReactorActor func restrictionsAreShownWithTheirConnections() async throws {
    try await DaemonScene.call { caller, scene in
      let rules = #"{"rules":[{"origin":"http://a.example"}]}"#
      for _ in 0..<3 { _ = await (try scene.connect()).ask("peer/restrict", rules) }
      let described = await caller.ask("session/describe")["restrictions"]?.elements ?? []
      #expect(described.map { $0["restriction"]?.text } == ["r1", "r2", "r3"])
      #expect(described.allSatisfy { $0["connections"] == .integer(1) })
    }
  }

  /// storage.md 9.11: an agent is not left alone while a task of its uid runs.
  @Test @ReactorActor func aRunningTaskKeepsTheAgent() async throws {
    try await DaemonScene.call({ $0.settings.agent.idleLockSeconds = 0.05 }) { caller, scene in
      let uid = caller.peer.process.uid
      let isForgotten = { scene.daemon.histories.latest(9, of: uid) { $0.outcome == .forgotten }.count > 0 }
      _ = await caller.ask("session/open", #"{"name":"a"}"#)
      _ = await caller.ask("task/start", #"{"url":"http://a.example/","session":"a","task":"t"}"#)
      await caller.check("credential/set", Self.set("a"), is: "{}")
      await DaemonScene.turn(after: 0.3)
      #expect(!isForgotten())
      // One that stands still does not count.
      await caller.check("task/suspend", #"{"task":"t"}"#, is: #"{"task":"t"}"#)
      await DaemonScene.until { isForgotten() }
    }
  }
}
