import Testing
import WatchwordJSON
import WatchwordReactor
import WatchwordTestSupport

@testable import WatchwordServer

/// What lists, descriptions and the status show of a session (messages.md 6 and 11).
struct SessionDescriptionTests {
  private static let password = "correct horse battery staple"

  init() { LoopThread.started }

  private static func make(_ caller: Caller) async {
    await caller.check(
      "initialize", #"{"name":"nightly","version":"2.1"}"#, has: #""protocolVersion":"1""#)
    let headers = #"[["authorization","\#(password)"],["Cookie","\#(password)"],["X","y"]]"#
    await caller.check(
      "session/open",
      #"{"name":"reports","delegate":{"tasks":["digest","basic"],"session":["*"]},"#
        + #""configuration":{"headers":\#(headers)}}"#, has: #""created":true"#)
    let space = #"{"protocol":"https","host":"a.test","port":443,"realm":"r","authenticationMethod":"basic"}"#
    await caller.check(
      "credential/set",
      #"{"session":"reports","protectionSpace":\#(space),"#
        + #""credential":{"user":"u","password":"\#(password)","persistence":"forSession"}}"#, is: "{}")
  }

  @Test @ReactorActor func aListCountsWhatADescriptionNames() async throws {
    try await DaemonScene.call { caller, _ in
      await Self.make(caller)
      let summary = await caller.ask("session/list")["sessions"]?.elements.first
      #expect(summary?["holders"] == .integer(1) && summary?["credentials"] == .integer(1))
      #expect(summary?["restrictions"] == .integer(0) && summary?["named"] == .bool(true))
      let full = await caller.ask("session/describe", #"{"session":"reports"}"#)
      let holder = full["holders"]?.elements.first
      #expect(holder?["name"]?.text == "nightly" && holder?["version"]?.text == "2.1")
      #expect(holder?["delegate"]?["tasks"]?.elements.map(\.text) == ["basic", "digest"])
      #expect(holder?["delegate"]?["session"]?.elements.map(\.text) == ["*"])
      #expect(holder?["delegate"]?["trustVerdicts"] == nil, "all, as when it is left out")
      #expect(full["configuration"]?["redirects"]?["limit"] == .integer(20))
      let status = await caller.ask("status")["sessions"]?.elements.first
      #expect(status?["holders"] == full["holders"])
      #expect(status?["credentials"]?.elements.first?["user"]?.text == "u")
      #expect(status?["configuration"] == nil)
    }
  }

  @Test @ReactorActor func aDescriptionSaysWhichVerdictsADelegateWants() async throws {
    try await DaemonScene.call { caller, _ in
      let delegate = #"{"session":["serverTrust"],"trustVerdicts":"refused"}"#
      _ = await caller.ask("session/open", #"{"name":"a","delegate":\#(delegate)}"#)
      let holder = await caller.ask("session/describe", #"{"session":"a"}"#)["holders"]?.elements.first
      #expect(holder?["delegate"]?["trustVerdicts"]?.text == "refused")
    }
  }

  /// In the order in which they were made.
  @Test @ReactorActor func aDescriptionListsRestrictionsByAge() async throws {
    try await DaemonScene.call { caller, scene in
      _ = await caller.ask("session/open", #"{"name":"a"}"#)
      for number in 0..<8 {
        let other = try scene.connect()
        _ = await other.ask(
          "peer/restrict", #"{"session":"a","rules":[{"origin":"http://h\#(number).example"}]}"#)
      }
      let restrictions =
        await caller.ask("session/describe", #"{"session":"a"}"#)["restrictions"]?.elements ?? []
      let origins = restrictions.map { $0["rules"]?.elements.first?["origin"]?.text }
      #expect(origins == (0..<8).map { "http://h\($0).example:80" })
    }
  }

  @Test @ReactorActor func nothingThatIsShownHasASecret() async throws {
    try await DaemonScene.call { caller, _ in
      await Self.make(caller)
      let full = await caller.ask("session/describe", #"{"session":"reports"}"#)
      let headers = full["configuration"]?["headers"]?.elements.map { $0.elements.map(\.text) }
      #expect(headers == [["authorization", "<secret>"], ["Cookie", "<secret>"], ["X", "y"]])
      for (method, parameters) in [
        ("session/describe", #"{"session":"reports"}"#), ("session/list", "{}"), ("status", "{}"),
        ("credential/list", #"{"session":"reports"}"#),
      ] {
        let text = await caller.say(method, parameters)
        #expect(text.contains("reports") || text.contains("a.test"), "\(method)")
        #expect(!text.contains(Self.password), "\(method)")
      }
    }
  }

  @Test @ReactorActor func theStatusCountsAndShowsEveryPartOfTheDaemon() async throws {
    try await DaemonScene.call { caller, _ in
      let status = await caller.ask("status")
      #expect(status["suspendLock"] == .string("off") && status["oldestChallengeSeconds"] == .null)
      #expect(status["vault"]?["state"] == .string("none") && status["vault"]?["openers"] == .array([]))
      #expect(status["roots"]?["count"] == .integer(0) && status["roots"]?["reason"] == .null)
      #expect(status["counters"]?["fetches.started"] == .integer(0))
      #expect(status["limits"]?["batch"] != nil && status["usage"]?["batch"] == nil)
      #expect(status["usage"]?["connections"] == .integer(1))
      #expect(status["usage"]?["connectionsPerUid"] == .integer(1))
      let bounds = status["taskSeconds"]?["bounds"]?.elements.count ?? 0
      #expect(bounds > 0 && status["taskSeconds"]?["counts"]?.elements.count == bounds + 1)
    }
  }
}
