import Testing
import WatchwordCore
import WatchwordJSON
import WatchwordReactor
import WatchwordTestSupport
import WatchwordTransport
import WatchwordVocabulary

@testable import WatchwordServer

/// Login forms in pages (methods.md 16).
@Suite(.serialized) struct FormLoginTests {
  init() { LoopThread.started }

  private static let open =
    #"{"name":"a","configuration":{"forms":[{"page":"https://a.example/*","#
    + #""fields":{"user":"u","password":"p"}}]},"delegate":{"tasks":["*"]}}"#
  private static let html = [HeaderField("Content-Type", "text/html")]
  private static let form =
    #"<form method="post" action="/in"><input name="u"><input name="p" type="password">"#
    + #"<input type="hidden" name="h" value="1"></form>"#

  /// The last exchange when there are so many.
  @ReactorActor private static func exchange(_ scene: DaemonScene, _ count: Int) async -> FakeExchange? {
    await DaemonScene.until { scene.engines.first?.exchanges.count ?? 0 >= count }
    return scene.exchange
  }

  @Test @ReactorActor func aFormIsFilledIn() async throws {
    try await DaemonScene.call { caller, scene in
      _ = await caller.ask("session/open", Self.open)
      let task = await caller.send("fetch", #"{"url":"https://a.example/x","session":"a","metrics":true}"#)
      await Self.exchange(scene, 1)?.respond(200, Self.html, body: Self.form)
      let asked = await caller.notification("task/didReceiveChallenge")
      #expect(asked?["protectionSpace"]?["authenticationMethod"]?.text == "htmlForm")
      await caller.check(
        "challenge/reply",
        #"{"challenge":"\#(asked?["challenge"]?.text ?? "")","disposition":"useCredential","#
          + #""credential":{"user":"joe","password":"pw"}}"#, is: #"{"accepted":true}"#)
      // The page once more, or its form at once.
      var exchange = await Self.exchange(scene, 2)
      if exchange?.request.method == "GET" {
        exchange?.respond(200, Self.html, body: Self.form)
        exchange = await Self.exchange(scene, 3)
      }
      let count = scene.engines[0].exchanges.count
      #expect(exchange?.request.method == "POST" && exchange?.request.url.path == "/in")
      #expect(exchange.map(FakeStore.body(of:)) == "u=joe&p=pw&h=1")
      // What was sent of a form is not of the caller's body.
      exchange?.sent(14)
      exchange?.respond(200, Self.html, body: "welcome")
      let own = await Self.exchange(scene, count + 1)
      #expect(own?.request.method == "GET" && own?.request.url.path == "/x")
      own?.respond(200, body: "secret")
      let reply = await caller.reply(to: task)
      #expect(reply["body"]?["text"]?.text == "secret" && reply["loginPage"] == nil)
      #expect(await caller.methods().contains("task/didSendBodyData") == false)
      // Only the form has carried the credential.
      let methods = reply["metrics"]?["exchanges"]?.elements.map { $0["authenticationMethod"]?.text ?? "" }
      #expect(methods == (count == 3 ? ["", "", "htmlForm", ""] : ["", "htmlForm", ""]))
    }
  }

  /// methods.md 16.10.
  @Test @ReactorActor func aLoginPageThatNobodyAnswersIsTheResult() async throws {
    try await DaemonScene.call { caller, scene in
      _ = await caller.ask("session/open", Self.open)
      let task = await caller.send("fetch", #"{"url":"https://a.example/x","session":"a"}"#)
      await Self.exchange(scene, 1)?.respond(200, Self.html, body: Self.form)
      let asked = await caller.notification("task/didReceiveChallenge")
      await caller.check(
        "challenge/reply",
        #"{"challenge":"\#(asked?["challenge"]?.text ?? "")","disposition":"performDefaultHandling"}"#,
        is: #"{"accepted":true}"#)
      let reply = await caller.reply(to: task)
      #expect(reply["body"]?["text"]?.text == Self.form && reply["loginPage"] == .bool(true))
    }
  }

  /// methods.md 16.2: a page is read up to so many bytes, and delivered as it arrives after that.
  @Test(arguments: [0, 262_143, 262_144, 262_145, 300_000])
  @ReactorActor func aPageWithoutAFormIsDelivered(_ count: Int) async throws {
    try await DaemonScene.call { caller, scene in
      _ = await caller.ask("session/open", Self.open)
      let task = await caller.send("fetch", #"{"url":"https://a.example/x","session":"a"}"#)
      let exchange = await Self.exchange(scene, 1)
      exchange?.receive(200, Self.html)
      let page = String(repeating: "y", count: count)
      var rest = page[...]
      var piece = rest.prefix(100_000)
      while !piece.isEmpty {
        if exchange?.receive(body: String(piece)) == .pause {
          let calls = exchange?.calls.count { $0 == "resume" } ?? 0
          await DaemonScene.until { exchange?.calls.count { $0 == "resume" } ?? 0 > calls }
          continue
        }
        rest = rest.dropFirst(piece.count)
        piece = rest.prefix(100_000)
      }
      exchange?.finish()
      let reply = await caller.reply(to: task)
      #expect(reply["status"] == .integer(200))
      #expect(reply["body"]?["text"]?.text == page && reply["loginPage"] == nil)
    }
  }

  /// A page that is held is counted once while it is read.
  @Test @ReactorActor func aPageThatIsReadIsCountedOnce() async throws {
    try await DaemonScene.call { caller, scene in
      _ = await caller.ask("session/open", Self.open)
      let task = await caller.send("fetch", #"{"url":"https://a.example/x","session":"a"}"#)
      let exchange = await Self.exchange(scene, 1)
      exchange?.receive(200, Self.html)
      let page = String(repeating: "y", count: 100_000)
      exchange?.receive(body: page)
      let before = scene.daemon.budget.total
      exchange?.finish()
      #expect(scene.daemon.budget.total < before + 50_000)
      #expect(await caller.reply(to: task)["body"]?["text"]?.text == page)
    }
  }

  /// methods.md 16.2: while the beginning of a page is read, the rest waits.
  @Test @ReactorActor func aPageIsReadOnce() async throws {
    try await DaemonScene.call { caller, scene in
      _ = await caller.ask("session/open", Self.open)
      let task = await caller.send("fetch", #"{"url":"https://a.example/x","session":"a"}"#)
      let exchange = try #require(await Self.exchange(scene, 1))
      exchange.receive(200, Self.html)
      let page = String(repeating: "y", count: 200_000)
      #expect(exchange.receive(body: page) == .taken)
      #expect(exchange.receive(body: page) == .pause)
      // It would have room.
      #expect(exchange.receive(body: "z") == .pause)
      await DaemonScene.until { exchange.calls.contains("resume") }
      exchange.receive(body: page)
      exchange.finish()
      #expect(await caller.reply(to: task)["body"]?["text"]?.text == page + page)
    }
  }

  /// methods.md 16.2: a form that ends behind the bytes that are read is not filled in.
  @Test @ReactorActor func aFormThatIsCutIsNotFilledIn() async throws {
    try await DaemonScene.call { caller, scene in
      _ = await caller.ask("session/open", Self.open)
      let task = await caller.send("fetch", #"{"url":"https://a.example/x","session":"a"}"#)
      let exchange = try #require(await Self.exchange(scene, 1))
      exchange.receive(200, Self.html)
      exchange.receive(body: String(Self.form.dropLast("</form>".count)))
      #expect(exchange.receive(body: String(repeating: " ", count: 262_144)) == .pause)
      let reply = await caller.reply(to: task)
      #expect(reply["data"]?["kind"]?.text == "authenticationFailed" && reply["data"]?["reason"] != nil)
    }
  }
}
