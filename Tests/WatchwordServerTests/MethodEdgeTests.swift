import Testing
import WatchwordCore
import WatchwordJSON
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
}
