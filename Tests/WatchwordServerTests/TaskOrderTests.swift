import Glibc
import Testing
import WatchwordCore
import WatchwordJSON
import WatchwordReactor
import WatchwordTestSupport
import WatchwordTransport
import WatchwordVocabulary

@testable import WatchwordServer

/// From the parameters of a fetch to what is sent (messages.md 5.1).
struct TaskOrderTests {
  init() { LoopThread.started }

  /// Begins a fetch and says the exchange of it.
  @ReactorActor private static func fetch(
    _ params: String, descriptors: [Int32] = [], _ caller: Caller, _ scene: DaemonScene
  ) async throws -> (task: Int, exchange: FakeExchange) {
    let before = scene.exchange
    let text = #"{"url":"http://a.example/"\#(params)}"#
    let task =
      descriptors.isEmpty
      ? await caller.send("fetch", text) : caller.send("fetch", text, descriptors: descriptors)
    await DaemonScene.until { scene.exchange !== before }
    return (task, try #require(scene.exchange))
  }

  /// A part that is continued comes as the server has it.
  @Test @ReactorActor func contentIsDecodedUnlessAPartIsContinued() async throws {
    let folder = try TemporaryFolder()
    let file = open(try folder.write("abc", to: "f"), O_RDWR)
    defer { close(file) }
    lseek(file, 3, SEEK_SET)
    try await DaemonScene.call { caller, scene in
      let whole = try await Self.fetch("", caller, scene)
      #expect(whole.exchange.setup.settings.decodesContent)
      let raw = try await Self.fetch(#","decodeContent":false"#, caller, scene)
      #expect(!raw.exchange.setup.settings.decodesContent)
      let rest = try await Self.fetch(
        #","output":{"descriptor":0,"resumeIfRange":"\"e\""}"#, descriptors: [file], caller, scene)
      #expect(!rest.exchange.setup.settings.decodesContent)
      #expect(rest.exchange.request.headers.contains { $0.name == "Range" })
      for exchange in [whole.exchange, raw.exchange, rest.exchange] { exchange.finish(.cancelled) }
    }
  }

  /// The digest of a file that is continued is that of the whole file, which must be readable then.
  @Test(arguments: [
    (O_WRONLY, 3, true, false), (O_WRONLY, 0, true, true), (O_WRONLY, 3, false, true),
    (O_RDWR, 3, true, true),
  ])
  @ReactorActor func aFileThatIsCheckedIsReadable(
    _ flags: Int32, _ offset: Int, _ isChecked: Bool, _ isTaken: Bool
  ) async throws {
    let folder = try TemporaryFolder()
    let file = open(try folder.write("abc", to: "f"), flags)
    defer { close(file) }
    lseek(file, offset, SEEK_SET)
    let digest = isChecked ? #","digest":"sha-256=:\#(String(repeating: "A", count: 43))=:""# : ""
    let params = #"{"url":"http://a.example/","output":{"descriptor":0,"resumeIfRange":"\"e\""\#(digest)}}"#
    try await DaemonScene.call { caller, scene in
      let task = caller.send("fetch", params, descriptors: [file])
      if isTaken {
        await DaemonScene.until { scene.exchange != nil }
        scene.exchange?.finish(.cancelled)
        _ = await caller.reply(to: task)
      } else {
        let reply = Caller.text(await caller.reply(to: task))
        #expect(reply.hasPrefix("descriptorUnusable: params.output.descriptor: to check the digest of a"))
        #expect(scene.exchange == nil)
      }
    }
  }

  /// What the session adds to a request is not for a restricted caller.
  @Test @ReactorActor func onlyAnUnrestrictedCallerIsToldOfExchanges() async throws {
    try await DaemonScene.call { caller, scene in
      let told = try await Self.fetch(#","exchangeDetails":true"#, caller, scene)
      #expect(told.exchange.setup.settings.detailsHiding != nil)
      let other = try await Self.fetch("", caller, scene)
      #expect(other.exchange.setup.settings.detailsHiding == nil)
      for exchange in [told.exchange, other.exchange] { exchange.respond(200) }
      _ = await caller.reply(to: other.task)
    }
  }

  /// Tasks are listed in the order in which they began.
  @Test @ReactorActor func tasksAreListedInTheirOrder() async throws {
    try await DaemonScene.call { caller, scene in
      for name in ["c", "a", "d", "b", "e", "f"] {
        _ = await caller.ask("task/start", #"{"url":"http://a.example/","task":"\#(name)"}"#)
      }
      let listed = await caller.ask("task/list")["tasks"]?.elements ?? []
      #expect(listed.compactMap { $0["task"]?.text } == ["c", "a", "d", "b", "e", "f"])
    }
  }

  /// messages.md 6.2: a session that is called after its settings is not one that a caller has chosen.
  @Test(arguments: [
    (#"{}"#, false), (#"{"name":"a"}"#, true), (#"{"bySettings":true}"#, false),
    (#"{"name":"default"}"#, false),
  ])
  @ReactorActor func cookiesOfATaskDependOnItsSession(_ session: String, _ isShared: Bool) async throws {
    try await DaemonScene.call { caller, scene in
      let name = await caller.ask("session/open", session)["session"]?.text ?? ""
      for path in ["1", "2"] {
        let task = await caller.send("fetch", #"{"url":"http://a.example/\#(path)","session":"\#(name)"}"#)
        await DaemonScene.until { scene.exchange?.request.url.path == "/\(path)" }
        let exchange = try #require(scene.exchange)
        let own = scene.daemon.registry.all.first?.tasks.values.first?.cookies
        #expect((own == nil) == (isShared || session == "{}"))
        exchange.respond(200)
        _ = await caller.reply(to: task)
      }
    }
  }

  /// A redirect leads from a scheme to another one, or nowhere.
  @Test(arguments: [
    ("ftp://a.example/", "redirectRefused: a redirect leads to another scheme than http or https"),
    ("http://", "redirectRefused: a redirect's Location is malformed"),
    ("http://a.example:x/", "redirectRefused: a redirect's Location is malformed"),
  ])
  @ReactorActor func aRedirectThatLeadsNowhereSaysWhy(_ location: String, _ expected: String) async throws {
    try await DaemonScene.call { caller, scene in
      let fetch = try await Self.fetch("", caller, scene)
      fetch.exchange.respond(302, [HeaderField("Location", location)])
      let reply = Caller.text(await caller.reply(to: fetch.task))
      #expect(reply == expected)
    }
  }

  /// A key needs the name of its field.
  @Test @ReactorActor func aKeyHasAField() async throws {
    try await DaemonScene.call { caller, _ in
      let space = #""protocol":"http","host":"a.example","authenticationMethod":"key""#
      let key = #""credential":{"token":"x","persistence":"forSession"}"#
      await caller.check(
        "credential/set", #"{"protectionSpace":{\#(space)},\#(key)}"#,
        is: "invalidParams: params.protectionSpace.field: is missing")
      await caller.check(
        "credential/set", #"{"protectionSpace":{\#(space),"field":"X-Key"},\#(key)}"#, is: "{}")
    }
  }

  /// The fault of a handshake is the rules' only where they ask for more.
  @Test @ReactorActor func aHandshakeThatFailsSaysSo() async throws {
    try await DaemonScene.call { caller, scene in
      let fetch = try await Self.fetch("", caller, scene)
      fetch.exchange.finish(.tlsFailed(nil))
      let reply = await caller.reply(to: fetch.task)
      #expect(reply["message"]?.text == "the TLS handshake failed")
      #expect(reply["data"]?["rules"] == nil)
    }
  }
}
