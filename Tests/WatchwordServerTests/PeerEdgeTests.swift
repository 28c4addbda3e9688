import CLinux
import Glibc
import Testing
import WatchwordCore
import WatchwordJSON
import WatchwordReactor
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordServer

/// What a connection has asked and then leaves, or takes back (messages.md 2.5.1, 3.1.5 and 3.1.8).
@Suite(.serialized) struct PeerEdgeTests {
  init() { LoopThread.started }

  private static let space =
    #""session":"a","protectionSpace":{"protocol":"http","host":"a.example","#
    + #""authenticationMethod":"negotiate"}"#
  private static let keytab =
    "{\(space)," + #""credential":{"kerberos":{"keytab":{"descriptor":0},"principal":"p"}}}"#

  /// A request that waits for a file is not carried out any more when its caller has cancelled it.
  @Test @ReactorActor func whatIsCancelledIsNotStored() async throws {
    let folder = try TemporaryFolder()
    let file = open(try folder.write("keys", to: "f"), O_RDONLY)
    defer { close(file) }
    try await DaemonScene.call { caller, scene in
      _ = await caller.ask("session/open", #"{"name":"a"}"#)
      let before = scene.daemon.budget.total
      var reply = "{}"
      // The file may be read before the daemon hears that it is not wanted.
      for _ in 0..<100 where reply == "{}" {
        _ = await caller.ask("credential/remove", "{\(Self.space)}")
        let request = caller.send("credential/set", Self.keytab, descriptors: [file])
        await caller.cancel(request)
        reply = Caller.text(await caller.reply(to: request))
      }
      #expect(reply == Caller.cancelled)
      // The memory of the file is given back when it has been read.
      await DaemonScene.until { scene.daemon.budget.total <= before }
      #expect(await Self.credentials(caller) == 0)
    }
  }

  /// Nor when it has left.
  @Test @ReactorActor func whatIsLeftIsNotStored() async throws {
    let folder = try TemporaryFolder()
    let file = open(try folder.write("keys", to: "f"), O_RDONLY)
    defer { close(file) }
    try await DaemonScene.call { caller, scene in
      let other = try scene.connect()
      _ = await other.ask("session/open", #"{"name":"a"}"#)
      let before = scene.daemon.budget.total
      caller.send("credential/set", Self.keytab, descriptors: [file])
      // Its end is read together with the request.
      caller.close()
      await DaemonScene.until { scene.daemon.peers.count == 1 && scene.daemon.budget.total <= before }
      #expect(await Self.credentials(other) == 0)
    }
  }

  /// The status has the newest entries of `credential/history`.
  @Test @ReactorActor func theStatusHasTheHistory() async throws {
    try await DaemonScene.call { caller, _ in
      let empty = await caller.ask("status")["history"]?.elements
      #expect(empty?.isEmpty == true)
      await caller.check("agent/forget", is: "{}")
      let history = await caller.ask("status")["history"]?.elements ?? []
      #expect(history.map { $0["outcome"]?.text } == ["forgotten"])
    }
  }

  /// A restricted command that floods its connection leaves its user room.
  @Test @ReactorActor func soManyTasksRunUnderARestriction() async throws {
    try await DaemonScene.call { caller, scene in
      _ = await caller.ask("peer/restrict", #"{"rules":[{"origin":"http://a.example"}]}"#)
      let task = #"{"url":"http://a.example/"}"#
      for _ in 0..<Limits.tasksPerRestriction {
        let started = await caller.ask("task/start", task)
        #expect(started["task"] != nil)
      }
      let refused = await caller.ask("task/start", task)
      #expect(refused["data"]?["limit"]?.text == "tasksPerRestriction")
      let other = try scene.connect()
      await other.check("task/start", #"{"url":"http://a.example/","task":"x"}"#, is: #"{"task":"x"}"#)
    }
  }

  private static func set(_ host: String) -> String {
    #"{"session":"a","protectionSpace":{"protocol":"http","host":"\#(host)","#
      + #""authenticationMethod":"bearer"},"credential":{"token":"x"}}"#
  }

  /// How many credentials session `a` has.
  @ReactorActor private static func credentials(_ caller: Caller) async -> Int? {
    await caller.ask("credential/list", #"{"session":"a"}"#)["credentials"]?.elements.count
  }

  /// Also when it takes the daemon more than a step.
  @Test @ReactorActor func whatWasAskedIsDoneAfterItsCallerHasLeft() async throws {
    try await DaemonScene.call { caller, scene in
      let other = try scene.connect()
      _ = await other.ask("session/open", #"{"name":"a"}"#)
      let count = 1000
      for number in 1...count { await caller.send("credential/set", Self.set("h\(number).example")) }
      caller.close()
      await DaemonScene.until { scene.daemon.peers.count == 1 }
      #expect(await Self.credentials(other) == count)
    }
  }

  /// One that does not read its replies is not read either, until it leaves (messages.md 2.3.2).
  ///
  /// - Parameter count: of requests: many are not even in the daemon's memory then.
  @Test(arguments: [1, 600])
  @ReactorActor func whatWasLeftUnreadIsDoneAfterItsCallerHasLeft(_ count: Int) async throws {
    try await DaemonScene.call { caller, scene in
      let other = try scene.connect()
      _ = await other.ask("session/open", #"{"name":"a"}"#)
      let discover = #"{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}"# + "\n"
      var text = String(repeating: discover, count: 20)
      for number in 1...count {
        let params = Self.set("h\(number).example")
        text += #"{"jsonrpc":"2.0","id":1,"method":"credential/set","params":\#(params)}"# + "\n"
      }
      await caller.write(text)
      await DaemonScene.until { caller.peer.isPaused }
      #expect(await Self.credentials(other) == 0)
      caller.close()
      await DaemonScene.until { scene.daemon.peers.count == 1 }
      #expect(await Self.credentials(other) == count)
    }
  }

  /// A task of `caller` whose challenge that connection has been asked; `other` is the next candidate.
  @ReactorActor private static func ask(_ caller: Caller, before other: Caller, in scene: DaemonScene) async {
    for one in [caller, other] {
      _ = await one.ask("session/open", #"{"name":"a","delegate":{"session":["basic"]}}"#)
    }
    _ = await caller.send("fetch", #"{"url":"http://a.example/","session":"a"}"#)
    await DaemonScene.until { scene.exchange != nil }
    scene.exchange?.respond(401, [HeaderField("WWW-Authenticate", #"Basic realm="r""#)])
    _ = await caller.notification("task/didReceiveChallenge")
  }

  /// messages.md 2.5.2.
  @Test @ReactorActor func whoHasEndedItsInputIsNotAsked() async throws {
    try await DaemonScene.call { caller, scene in
      let other = try scene.connect()
      await Self.ask(caller, before: other, in: scene)
      #expect(await other.methods().isEmpty)
      caller.endInput()
      #expect(await other.notification("task/didReceiveChallenge") != nil)
    }
  }

  /// A task that ends with its connection asks nobody else, whether the daemon first reads the end or writes in vain.
  @Test(arguments: [false, true])
  @ReactorActor func aTaskOfACallerThatHasLeftAsksNobody(_ isWritten: Bool) async throws {
    try await DaemonScene.call { caller, scene in
      let other = try scene.connect()
      await Self.ask(caller, before: other, in: scene)
      caller.close()
      if isWritten { caller.peer.send { $0.string("x") } }
      await DaemonScene.until { scene.daemon.peers.count == 1 && scene.daemon.tasks.isEmpty }
      #expect(await other.methods().contains("task/didReceiveChallenge") == false)
    }
  }

  @Test @ReactorActor func anAttemptToReadIsNoEnd() async throws {
    try await DaemonScene.call { caller, _ in
      #expect(!caller.peer.receive())
      await caller.check("ping", is: "{}")
    }
  }

  /// It would be ready for ever.
  @Test @ReactorActor func aConnectionThatCannotBeReadEnds() async throws {
    try await DaemonScene.call { caller, scene in
      var ends: [Int32] = [-1, -1]
      try #require(pipe(&ends) == 0)
      defer { close(ends[1]) }
      scene.daemon.admit(ends[0], of: caller.peer.process)
      #expect(write(ends[1], "x", 1) == 1)
      await DaemonScene.until { scene.daemon.peers.count == 1 }
      await caller.check("ping", is: "{}")
    }
  }

  /// messages.md 2.3.1: one that asks much leaves others their turn.
  @Test @ReactorActor func othersHaveTheirTurn() async throws {
    try await DaemonScene.call { caller, scene in
      let other = try scene.connect()
      _ = await other.ask("session/open", #"{"name":"a"}"#)
      let session = try #require(scene.daemon.registry.all.first)
      let count = 500
      // At once: otherwise each could be done before the next one comes.
      var text = ""
      for number in 1...count {
        let params = Self.set("h\(number).example")
        text += #"{"jsonrpc":"2.0","id":\#(1000 + number),"method":"credential/set","params":\#(params)}"#
        text += "\n"
      }
      await caller.write(text)
      await other.check("ping", is: "{}")
      #expect(session.state.memory.count < count)
      await caller.check("ping", is: "{}")
      #expect(session.state.memory.count == count)
    }
  }
}
