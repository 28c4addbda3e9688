import Testing
import WatchwordCore
import WatchwordJSON
import WatchwordProtocol
import WatchwordReactor
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordServer

/// What methods choose from what there is.
@Suite(.serialized) struct MethodEdgeTests {
  init() { LoopThread.started }

  /// The entries of a user, of an origin, or of both.
  @Test(arguments: [
    ("", 3), (#","user":"joe""#, 2), (#","user":"ann""#, 1), (#","origin":"http://b.example""#, 2),
    (#","user":"joe","origin":"http://b.example""#, 1), (#","user":"ann","origin":"http://a.example""#, 0),
  ])
  @ReactorActor func theHistoryIsNarrowed(_ members: String, _ expected: Int) async throws {
    try await DaemonScene.call { caller, scene in
      for (user, host) in [("joe", "a.example"), ("joe", "b.example"), ("ann", "b.example")] {
        var entry = HistoryEntry(.accepted, at: 1)
        entry.user = user
        entry.origin = Origin(scheme: .http, host: host, port: 80)
        scene.daemon.record(entry, of: caller.peer.process.uid)
      }
      let found = await caller.ask("credential/history", #"{"limit":9\#(members)}"#)
      #expect(found["entries"]?.elements.count == expected)
    }
  }

  /// messages.md 5.6.2: a file in memory goes to the connection of the task, and is not kept.
  @Test @ReactorActor func aResultIsKeptWithoutItsFile() async throws {
    try await DaemonScene.call { caller, scene in
      _ = await caller.ask("initialize", #"{"capabilities":{"descriptors":true}}"#)
      _ = await caller.ask("session/open", #"{"name":"a"}"#)
      _ = await caller.ask(
        "task/start", #"{"url":"http://a.example/","session":"a","task":"t","detached":true}"#)
      await DaemonScene.until { scene.exchange != nil }
      scene.exchange?.respond(200, body: String(repeating: "x", count: 65_537))
      let finished = await caller.notification("task/didFinish")
      #expect(finished?["body"]?["size"] == .integer(65_537) && finished?["body"]?["descriptor"] != nil)
      let kept = await caller.ask("task/describe", #"{"task":"t"}"#)["result"]
      #expect(kept?["body"]?["size"] == .integer(65_537) && kept?["body"]?["descriptor"] == nil)
    }
  }

  /// Nothing of what a locked agent refuses is done.
  @Test @ReactorActor func whatALockedAgentRefusesHasNoEffect() async throws {
    let space = #""protectionSpace":{"protocol":"http","host":"a.example","authenticationMethod":"bearer"}"#
    try await DaemonScene.call { caller, _ in
      await caller.check("agent/lock", #"{"passphrase":"p"}"#, is: #"{"locked":true}"#)
      await caller.check("credential/set", #"{\#(space),"credential":{"token":"x"}}"#, has: "agentLocked: ")
      await caller.check("credential/list", is: #"{"credentials":[]}"#)
      await caller.check("agent/unlock", #"{"passphrase":"p"}"#, is: #"{"locked":false}"#)
      await caller.check("credential/list", is: #"{"credentials":[]}"#)
    }
  }

  /// Who is told of changes hears nothing of what has changed nothing.
  @Test(arguments: ["trust/remove", "identity/remove"])
  @ReactorActor func whoRemovesNothingChangesNothing(_ method: String) async throws {
    try await DaemonScene.call { caller, scene in
      let subscriber = try scene.connect()
      _ = await caller.ask("session/open", #"{"name":"a"}"#)
      await subscriber.check(
        "status/subscribe", #"{"intervalSeconds":0.1}"#, is: #"{"subscribed":true}"#)
      while await subscriber.notification("status/didChange")?["sessions"]?.elements.count != 1 {}
      let rounds = scene.daemon.counters.statusRounds
      await caller.check(method, #"{"session":"a"}"#, is: #"{"removed":0}"#)
      await DaemonScene.turn(after: 0.3)
      #expect(scene.daemon.counters.statusRounds == rounds)
    }
  }

  /// The administrator's rules are named where they can be the cause.
  @Test(
    arguments: [
      (nil, ["r"], true), (nil, [], false), (.handshakeFailure, ["r"], true), (.handshakeFailure, [], false),
      (.unrecognizedName, ["r"], false),
    ] as [(HandshakeFault?, [String], Bool)])
  @ReactorActor func aHandshakeThatFailsNamesRules(
    _ fault: HandshakeFault?, _ rules: [String], _ areNamed: Bool
  ) {
    let error = RPCError(.transport(.tlsFailed(fault)), at: SessionScene.url(), rules: rules)
    #expect(error.message.hasPrefix("the TLS handshake failed"))
    #expect(error.message.contains("rules ask for more than the session does: r") == areNamed)
  }

  /// A connection asks no more than it may at once.
  @Test @ReactorActor func soManyRequestsAreInFlight() async throws {
    try await DaemonScene.call { caller, scene in
      _ = await caller.ask("session/open", #"{"name":"a"}"#)
      for number in 1...Limits.requestsPerConnection {
        _ = await caller.send("fetch", #"{"url":"http://a.example/\#(number)","session":"a"}"#)
      }
      await DaemonScene.until { caller.peer.callsInHand == Limits.requestsPerConnection }
      await caller.check(
        "ping", is: "limitExceeded: more than \(Limits.requestsPerConnection) requests in flight")
      scene.engines[0].exchanges[0].respond(200)
      await DaemonScene.until { caller.peer.callsInHand == Limits.requestsPerConnection - 1 }
      await caller.check("ping", is: "{}")
    }
  }
}
