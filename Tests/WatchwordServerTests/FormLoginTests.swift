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
}
