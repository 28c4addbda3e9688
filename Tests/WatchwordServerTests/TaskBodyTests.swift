import Glibc
import Testing
import WatchwordCore
import WatchwordJSON
import WatchwordProtocol
import WatchwordReactor
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordServer

/// How bodies of results come back, and what becomes of those that cannot (messages.md 5.5).
struct TaskBodyTests {
  init() { LoopThread.started }

  private static let large = String(repeating: "x", count: 65_537)

  /// What a fetch gives whose server sends this body.
  @ReactorActor private static func fetch(
    _ members: String, by caller: Caller, in scene: DaemonScene, _ fields: [HeaderField] = [], body: String
  ) async -> JSONValue {
    let before = scene.exchange
    let task = await caller.send("fetch", #"{"url":"http://a.example/"\#(members)}"#)
    await DaemonScene.until { scene.exchange !== before }
    scene.exchange?.respond(200, fields, body: body)
    return await caller.reply(to: task)
  }

  /// Only a caller that takes descriptors gets one, and only for what is large.
  @Test @ReactorActor func aLargeBodyIsADescriptorForWhoTakesThem() async throws {
    try await DaemonScene.call { caller, scene in
      let inline = await Self.fetch("", by: caller, in: scene, body: Self.large)
      #expect(inline["body"]?["text"]?.text.utf8.count == 65_537)
      _ = await caller.ask("initialize", #"{"capabilities":{"descriptors":true}}"#)
      let file = await Self.fetch("", by: caller, in: scene, body: Self.large)
      #expect(file["body"]?["size"] == .integer(65_537) && file["body"]?["text"] == nil)
      let small = await Self.fetch("", by: caller, in: scene, body: String(Self.large.dropLast()))
      #expect(small["body"]?["text"]?.text.utf8.count == 65_536)
      let asked = await Self.fetch(#","output":"inline""#, by: caller, in: scene, body: Self.large)
      #expect(asked["body"]?["text"]?.text.utf8.count == 65_537)
      // A reply in a batch can carry none.
      await caller.write(
        #"[{"jsonrpc":"2.0","id":99,"method":"fetch","params":{"url":"http://a.example/"}}]"# + "\n")
      let before = scene.exchange
      await DaemonScene.until { scene.exchange !== before }
      scene.exchange?.respond(200, body: Self.large)
      let batch = try #require(await caller.message()).elements
      #expect(batch.first?["result"]?["body"]?["text"]?.text.utf8.count == 65_537)
    }
  }

  @Test @ReactorActor func aBodyIsVerifiedByItsDigest() async throws {
    try await DaemonScene.call { caller, scene in
      let members = #","output":{"digest":"sha-256=:ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=:"}"#
      let found = await Self.fetch(members, by: caller, in: scene, body: "abc")
      #expect(found["body"]?["verified"] == .bool(true))
      let other = await Self.fetch(members, by: caller, in: scene, body: "abd")
      #expect(
        Caller.text(other)
          == "digestMismatch: the body does not have the given digest (sha-256)")
      let unchecked = await Self.fetch("", by: caller, in: scene, body: "abc")
      #expect(unchecked["body"]?["verified"] == nil)
    }
  }

  @Test @ReactorActor func aBodyHasTheLimitOfItsFetch() async throws {
    try await DaemonScene.call { caller, scene in
      let members = #","maximumBodyBytes":3"#
      let found = await Self.fetch(members, by: caller, in: scene, body: "abc")
      #expect(found["body"]?["text"]?.text == "abc")
      let other = await Self.fetch(members, by: caller, in: scene, body: "abcd")
      #expect(Caller.text(other) == "bodyTooLarge: the body is larger than the fetch allows")
    }
  }

  @Test @ReactorActor func aDiscardedBodyHasItsSize() async throws {
    try await DaemonScene.call { caller, scene in
      let found = await Self.fetch(#","output":"discard""#, by: caller, in: scene, body: "abc")
      #expect(found["body"]?["size"] == .integer(3))
    }
  }

  /// storage.md 9.9: what is kept where.
  @Test func whatCannotBeKeptSaysWhy() {
    func text(_ fault: SessionState.PersistenceFault) -> String {
      RPCError(fault, at: "params.p", in: "s").message
    }
    #expect(
      text(.memoryOnly(.tokenIdentity))
        == "identities whose keys are in tokens are kept in memory only; use forSession")
    #expect(text(.memoryOnly(.kerberos)) == "Kerberos credentials are kept in memory only; use forSession")
    #expect(text(.notShared(.decision)) == "decisions about certificates are not shared with other hosts")
    #expect(
      text(.privateStorage)
        == "session s has private storage and keeps nothing beyond itself; use forSession")
    #expect(text(.nothingToStore) == "params.p: none is for replies: nothing would be stored")
  }

  @Test(arguments: [
    (TaskFailure.cancelled, "taskCancelled"), (.interrupted, "taskInterrupted"),
    (.tooManyExchanges, "tooManyExchanges"), (.outputFailed(ENOSPC), "outputFailed"),
    (.redirect(.downgrade), "redirectRefused"), (.redirect(.tooManyRedirects), "tooManyRedirects"),
    (.transport(.timedOut(.connect)), "timedOut"), (.transport(.cancelled), "taskCancelled"),
    (.transport(.addressRefused), "addressRefused"), (.transport(.headersTooLarge), "headersTooLarge"),
    (.overBudget, "limitExceeded"), (.agentLocked, "agentLocked"), (.partMismatch, "malformedResponse"),
  ])
  @ReactorActor func everyFailureHasItsKind(_ failure: TaskFailure, _ kind: String) {
    #expect(RPCError(failure, at: SessionScene.url()).kind.rawValue == kind)
  }
}
