import Glibc
import Logging
import Testing
import WatchwordCore
import WatchwordJSON
import WatchwordReactor
import WatchwordTestSupport

@testable import WatchwordServer

/// `initialize`, `status` and what is the administrator's (messages.md 11).
struct ServerMethodTests {
  init() { LoopThread.started }

  @Test @ReactorActor func aCallerIsGreeted() async throws {
    try await DaemonScene.call { caller, scene in
      let reply = await caller.ask(
        "initialize", #"{"name":"n","version":"2","capabilities":{"descriptors":true}}"#)
      #expect(reply["pid"] == .integer(Int64(getpid())) && reply["uid"] == .integer(Int64(getuid())))
      #expect(caller.peer.takesDescriptors && caller.peer.callerName == "n")
      await caller.check("session/describe", has: #""name":"n""#, #""version":"2""#)
      _ = await caller.ask("initialize", #"{"name":"n"}"#)
      #expect(!caller.peer.takesDescriptors && caller.peer.callerVersion == nil)
    }
  }

  @Test @ReactorActor func theStatusHasWhatTheCallerSees() async throws {
    try await DaemonScene.call { caller, scene in
      _ = await caller.ask("session/open", #"{"name":"a"}"#)
      _ = await caller.ask("session/open")
      let other = try scene.connect()
      func sessions(_ caller: Caller) async -> Int {
        await caller.ask("status")["sessions"]?.elements.count ?? -1
      }
      #expect(await sessions(caller) == 2)
      // Root sees that another connection has a private session.
      #expect(await sessions(other) == (getuid() == 0 ? 2 : 1))
      let status = await caller.ask("status")
      #expect(status["locked"] == .bool(false) && status["socket"]?.text == "/nowhere/watchword.sock")
    }
  }

  @Test @ReactorActor func aSubscriberIsToldOfChanges() async throws {
    try await DaemonScene.call { caller, scene in
      let subscribe = #"{"intervalSeconds":0.1}"#
      await caller.check("status/subscribe", subscribe, is: #"{"subscribed":true}"#)
      await caller.check("status/subscribe", subscribe, is: #"{"subscribed":true}"#)
      let uid = caller.peer.process.uid
      #expect(scene.daemon.subscriptions.count(of: uid) == 1)
      #expect(scene.daemon.subscriptions.count(of: uid + 1) == 0)
      let first = await caller.notification("status/didChange")
      #expect(first?["sessions"]?.elements.isEmpty == true)
      _ = await (try scene.connect()).ask("session/open", #"{"name":"a"}"#)
      var isTold = false
      for _ in 0..<5 where !isTold {
        isTold = await caller.notification("status/didChange")?["sessions"]?.elements.count == 1
      }
      #expect(isTold)
      await caller.check("status/unsubscribe", is: #"{"subscribed":false}"#)
      #expect(scene.daemon.subscriptions.count(of: uid) == 0)
    }
  }

  @Test @ReactorActor func soManyConnectionsSubscribe() async throws {
    try await DaemonScene.run { scene in
      let callers = try (0...Limits.statusSubscribersPerUID).map { _ in try scene.connect() }
      for caller in callers.dropLast() {
        await caller.check("status/subscribe", #"{"intervalSeconds":10}"#, is: #"{"subscribed":true}"#)
      }
      await callers[callers.count - 1].check(
        "status/subscribe", #"{"intervalSeconds":10}"#,
        is: "limitExceeded: more than \(Limits.statusSubscribersPerUID) subscribers")
      await callers[0].check("status/subscribe", #"{"intervalSeconds":9}"#, is: #"{"subscribed":true}"#)
    }
  }

  @Test @ReactorActor func theConfigurationIsReadAgain() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(#"{"logLevel":"error","agent":{"idleLockSeconds":5}}"#, to: "config.json")
    try await DaemonScene.call({ $0.configuration = .given(path) }) { caller, scene in
      await caller.check("server/configuration", has: path, #""name":"logLevel""#)
      await caller.check("server/reload", is: #"{"reloaded":true}"#)
      #expect(scene.daemon.logger.logLevel == .error && scene.daemon.settings.agent.idleLockSeconds == 5)
      await caller.check(
        "server/configuration", has: #"{"name":"logLevel","value":"error","isDefault":false}"#)
      try folder.write(#"{"agent":{"idleLockSeconds":"x"}}"#, to: "config.json")
      await caller.check("server/reload", has: "configurationInvalid: ", "agent.idleLockSeconds")
      #expect(scene.daemon.settings.agent.idleLockSeconds == 5)
      try folder.write("{}", to: "config.json")
      await caller.check("server/reload", is: #"{"reloaded":true}"#)
      #expect(scene.daemon.settings.agent.idleLockSeconds == nil && scene.daemon.logger.logLevel == .error)
      await caller.check(
        "server/configuration", has: #"{"name":"logLevel","value":"error","isDefault":true}"#)
    }
    try await DaemonScene.call { caller, _ in
      await caller.check("server/reload", is: #"{"reloaded":true}"#)
      await caller.check("server/configuration", has: #""path":null"#)
    }
  }

  /// What the file asks of connections counts from the reload on.
  @Test @ReactorActor func rulesOfConnectionsAreReadAgain() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("{}", to: "config.json")
    try await DaemonScene.call({ $0.configuration = .given(path) }) { caller, scene in
      _ = await caller.ask("session/open", #"{"name":"a"}"#)
      for rules in [#""defaults":{"minimumTLSVersion":"1.3"}"#, ""] {
        try folder.write(#"{"transportSecurity":{\#(rules)}}"#, to: "config.json")
        await caller.check("server/reload", is: #"{"reloaded":true}"#)
        #expect((scene.daemon.policy == TrustPolicy()) == rules.isEmpty)
      }
    }
  }

  @Test @ReactorActor func anAgentThatIsLeftAloneForgets() async throws {
    try await DaemonScene.call({ $0.settings.agent.idleLockSeconds = 0.01 }) { caller, scene in
      let space = #""protectionSpace":{"protocol":"http","host":"a.example","authenticationMethod":"bearer"}"#
      await caller.check("credential/set", #"{\#(space),"credential":{"token":"x"}}"#, is: "{}")
      let uid = caller.peer.process.uid
      await DaemonScene.until {
        scene.daemon.histories.latest(9, of: uid) { $0.outcome == .forgotten }.count > 0
      }
    }
  }
}
