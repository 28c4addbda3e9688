import Testing
import WatchwordJSON
import WatchwordReactor
import WatchwordTestSupport

@testable import WatchwordServer

/// Messages of one connection: framing, batches, errors, its end (messages.md 5).
struct ConversationTests {
  init() { LoopThread.started }

  /// What comes back on a connection that is sent this and then ends its input.
  @ReactorActor private static func replies(to text: String) async throws -> String {
    var found = ""
    try await DaemonScene.call { caller, _ in
      await caller.write(
        text.replacing("PING", with: ping).replacing("~", with: "\n").replacing("^", with: "\r\n"))
      caller.endInput()
      found = await caller.rest()
    }
    return found.replacing(pong, with: "PONG").replacing("\r\n", with: "^").replacing("\n", with: "~")
  }

  private static let ping = #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#
  private static let pong = #"{"jsonrpc":"2.0","id":1,"result":{}}"#

  /// In the tables `~` is the end of a line, `^` that of HTTP, `PING` a request and `PONG` its reply.
  @Test(arguments: [
    ("", ""),
    ("PING~", "PONG~"),
    ("PING", "PONG~"),
    ("PING~PING~", "PONG~PONG~"),
    ("Content-Length: 40^^PING", "Content-Length: 36^^PONG"),
    (
      "Content-Length: x^^PING",
      #"Content-Length: 148^^{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"#
        + #""message":"Content-Length is not a number of "#
        + #"bytes","data":{"kind":"parseError","retry":"never"}}}"#
    ),
    (
      "GET / HTTP/1.1^^",
      #"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"not a JSON-RPC connection: it "#
        + #"begins with byte 71","data":{"kind":"parseError","retry":"never"}}}~"#
    ),
    ("[PING,PING]~", "[PONG,PONG]~"),
    (
      "[]~",
      #"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"empty "#
        + #"batch","data":{"kind":"invalidRequest","retry":"never"}}}~"#
    ),
    (
      "[1,PING]~",
      #"[{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"a message must be an object, not "#
        + #"number","data":{"kind":"invalidRequest","retry":"never"}}},PONG]~"#
    ),
    (#"[{"jsonrpc":"2.0","method":"ping"}]~PING~"#, "PONG~"),
    (
      "{x}~PING~",
      #"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"invalid JSON near byte "#
        + #"2","data":{"kind":"parseError","retry":"never"}}}~PONG~"#
    ),
    (#"{"jsonrpc":"2.0","method":"ping"}~PING~"#, "PONG~"),
    (#"{"jsonrpc":"2.0","id":1,"result":{}}~PING~"#, "PONG~"),
    (
      #"{"jsonrpc":"2.0","id":"a","method":"ping","params":[]}~"#, #"{"jsonrpc":"2.0","id":"a","result":{}}~"#
    ),
    (
      #"{"jsonrpc":"2.0","id":1.5,"method":"ping"}~"#,
      #"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"id must be a string, an integer or "#
        + #"null","data":{"kind":"invalidRequest","retry":"never"}}}~"#
    ),
    (
      #"{"jsonrpc":"1.0","id":1,"method":"ping"}~"#,
      #"{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"jsonrpc must be "#
        + #"\"2.0\"","data":{"kind":"invalidRequest","retry":"never"}}}~"#
    ),
    (
      #"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":1}}~"#,
      #"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params.x: unknown "#
        + #"member","data":{"kind":"invalidParams","retry":"never","path":"params.x"}}}~"#
    ),
    (
      #"{"jsonrpc":"2.0","id":1,"method":"nothing"}~"#,
      #"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no method "#
        + #"nothing","data":{"kind":"methodNotFound","retry":"never"}}}~"#
    ),
    (
      #"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"descriptors":1}}~"#,
      #"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params.descriptors: unknown "#
        + #"member","data":{"kind":"invalidParams","retry":"never","path":"params.descriptors"}}}~"#
    ),
  ])
  @ReactorActor func whatIsSentIsAnswered(_ text: String, _ expected: String) async throws {
    let found = try await Self.replies(to: text)
    #expect(found == expected)
  }

  /// messages.md 2.2.4: such a connection is closed, and what follows on it is not taken.
  @Test @ReactorActor func nothingIsTakenAfterAnotherProtocol() async throws {
    let found = try await Self.replies(to: "trace / HTTP/1.1~PING~")
    #expect(found.contains(#""kind":"parseError""#) && !found.contains("PONG"))
    #expect(found.count { $0 == "~" } == 1)
  }

  @Test @ReactorActor func aMessageHasAtMostAMebibyte() async throws {
    let fixed = #"{"jsonrpc":"2.0","id":1,"method":"x"}"#.utf8.count
    for (size, expected) in [
      (Limits.messageBytes, #""kind":"methodNotFound""#),
      (Limits.messageBytes + 1, #""kind":"messageTooLarge""#),
    ] {
      let name = String(repeating: "x", count: size - fixed + 1)
      let found = try await Self.replies(to: #"{"jsonrpc":"2.0","id":1,"method":"\#(name)"}"# + "\n")
      #expect(found.contains(expected), "\(size)")
    }
  }

  @Test @ReactorActor func aLongNameOfAMethodIsCut() async throws {
    try await DaemonScene.call { caller, _ in
      let name = String(repeating: "m", count: 257)
      await caller.check(name, is: "methodNotFound: no method " + name.dropLast())
    }
  }

  /// Replies to one batch come together, after the last one (messages.md 5.4).
  @Test @ReactorActor func aBatchIsAnsweredWhenAllIsDone() async throws {
    try await DaemonScene.call { caller, scene in
      await caller.write(
        #"[{"jsonrpc":"2.0","id":1,"method":"fetch","params":{"url":"http://a.example/"}},"#
          + #"{"jsonrpc":"2.0","id":2,"method":"ping"},{"jsonrpc":"2.0","method":"ping"}]"# + "\n"
          + #"{"jsonrpc":"2.0","id":3,"method":"ping"}"# + "\n")
      #expect(await caller.line() == #"{"jsonrpc":"2.0","id":3,"result":{}}"#)
      scene.exchange?.respond(200, body: "x")
      let batch = try #require(await caller.message()).elements
      #expect(batch.map { $0["id"] } == [.integer(2), .integer(1)])
      #expect(batch.last?["result"]?["status"] == .integer(200))
    }
  }

  @Test @ReactorActor func aBatchOfLargeRepliesIsWhole() async throws {
    try await DaemonScene.call { caller, scene in
      let discover = #"{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}"#
      await caller.write("[" + Array(repeating: discover, count: 2).joined(separator: ",") + "]\n")
      let batch = try #require(await caller.message()).elements
      #expect(batch.count == 2 && Set(batch.map { $0["result"]?["openrpc"]?.text ?? "" }).count == 1)
      #expect(batch[0]["result"]?["methods"]?.elements.isEmpty == false)
      await DaemonScene.until { scene.daemon.budget.total < 100_000 }
    }
  }

  @Test @ReactorActor func aRequestCanBeCancelled() async throws {
    try await DaemonScene.call { caller, scene in
      let first = await caller.send("fetch", #"{"url":"http://a.example/"}"#)
      let second = await caller.send("fetch", #"{"url":"http://a.example/"}"#)
      await caller.check("$/cancelRequest", #"{"id":\#(first)}"#, is: "{}")
      await caller.check("$/cancelRequest", #"{"id":99}"#, is: "{}")
      let cancelled = await caller.reply(to: first)
      #expect(Caller.text(cancelled) == "requestCancelled: the request was cancelled")
      #expect(scene.engines[0].exchanges.map(\.isCancelled) == [true, false])
      scene.exchange?.respond(204)
      #expect(await caller.reply(to: second)["status"] == .integer(204))
    }
  }

  /// What was asked before the end of the input is still answered (messages.md 5.2).
  @Test @ReactorActor func repliesComeAfterTheEndOfTheInput() async throws {
    try await DaemonScene.call { caller, scene in
      _ = await caller.send("fetch", #"{"url":"http://a.example/"}"#)
      caller.endInput()
      await DaemonScene.until { scene.exchange != nil }
      #expect(scene.daemon.peers.count == 1)
      scene.exchange?.respond(200, body: "late")
      #expect(await caller.rest().contains(#""status":200"#))
      await DaemonScene.until { scene.daemon.peers.isEmpty }
    }
  }

  @Test @ReactorActor func aTaskEndsWithItsConnection() async throws {
    try await DaemonScene.call { caller, scene in
      let session = await caller.ask("session/open")["session"]?.text ?? ""
      _ = await caller.send("fetch", #"{"url":"http://a.example/","session":"\#(session)"}"#)
      await DaemonScene.until { scene.exchange != nil }
      #expect(scene.daemon.isUsed)
      caller.close()
      await DaemonScene.until { scene.daemon.peers.isEmpty && scene.daemon.tasks.isEmpty }
      #expect(scene.exchange?.isCancelled == true)
    }
  }

  @Test @ReactorActor func soManyRequestsAreInFlight() async throws {
    try await DaemonScene.call { caller, scene in
      let most = Limits.requestsPerConnection
      for _ in 0..<most { await caller.send("fetch", #"{"url":"http://a.example/"}"#) }
      await DaemonScene.until { caller.peer.callsInHand == most }
      await caller.check(
        "ping", is: "limitExceeded: more than \(most) requests in flight")
      #expect(caller.peer.callsInHand == most)
      scene.engines[0].exchanges[0].respond(200)
      _ = await caller.reply(to: 1)
      await caller.check("ping", is: "{}")
    }
  }

  @Test @ReactorActor func nothingMoreIsTakenOfWhoDoesNotRead() async throws {
    try await DaemonScene.call { caller, scene in
      let asked = 20
      for _ in 0..<asked { await caller.send("rpc.discover") }
      await DaemonScene.until { caller.peer.isPaused }
      let waiting = caller.peer.outgoing.count
      #expect(waiting > Limits.outgoingHighWater && waiting < 2 * Limits.outgoingHighWater)
      for number in 1...asked { #expect(await caller.reply(to: number)["openrpc"] != nil) }
      #expect(!caller.peer.isPaused && caller.peer.outgoing.isEmpty)
      await caller.check("ping", is: "{}")
    }
  }

  @Test @ReactorActor func whoIsFullOfConnectionsGetsAReason() async throws {
    try await DaemonScene.run { scene in
      let callers = try (0..<Limits.connectionsPerUID).map { _ in try scene.connect() }
      await callers[callers.count - 1].check("ping", is: "{}")
      let more = try scene.connect()
      let found = try #require(await more.message())
      #expect(found["id"] == .null)
      #expect(Caller.text(found["error"] ?? .null) == "limitExceeded: too many connections")
      #expect(found["error"]?["data"]?["limit"] == .string("connectionsPerUid"))
      #expect(await more.rest() == "")
    }
  }
}
