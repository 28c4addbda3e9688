import Testing
import WatchwordCore
import WatchwordJSON
import WatchwordReactor
import WatchwordTestSupport
import WatchwordTransport

/// Broken and odd replies from other projects' suites: agreement with what they make of them.
@Suite struct RobustnessTests {
  init() { LoopThread.started }

  struct Case: Sendable, CustomTestStringConvertible {
    let id: String
    let succeeds: Bool
    let closes: Bool
    let name: String
    let reply: [UInt8]

    var testDescription: String { "\(id): \(name)" }
  }

  static let cases = VectorFile.cases("http_replies.json").compactMap { example -> Case? in
    guard case .string(let id)? = example["id"], case .string(let name)? = example["name"],
      case .string(let reply)? = example["reply"], case .bool(let closes)? = example["close"]
    else { return nil }
    return Case(
      id: id, succeeds: example["expect"] == .string("ok"), closes: closes, name: name,
      reply: filled(VectorFile.base64(reply), example["filler"]))
  }

  /// The reply with what it repeats at `offset`.
  private static func filled(_ reply: [UInt8], _ filler: JSONValue?) -> [UInt8] {
    guard case .object(let filler)? = filler, case .integer(let offset)? = filler["offset"],
      case .string(let bytes)? = filler["bytes"], case .integer(let times)? = filler["times"]
    else { return reply }
    let repeated = repeatElement(VectorFile.base64(bytes), count: Int(times)).joined()
    return Array([reply[..<Int(offset)], ArraySlice(repeated), reply[Int(offset)...]].joined())
  }

  /// Where we deliberately do something else than the test's own client, and why.
  static let differences: [String: String] = [
    "curl-test1425": "refusing binary output is for a terminal's sake",
    "curl-test1473": "a fold without a line before it is malformed (RFC 9112 §2.2)",
  ]

  @Test func vectorsAreThere() { #expect(Self.cases.count == 63) }

  @Test(arguments: cases)
  @ReactorActor func replyIsTakenAsOthersTakeIt(_ example: Case) async throws {
    let server = ScriptedServer { peer, _ in
      _ = peer.request()
      peer.send(example.reply)
      if !example.closes { _ = peer.receive(1) }
    }
    defer { server.stop() }
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    let timeouts = ExchangeTimeouts(connectSeconds: 5, requestSeconds: 1)
    let recorder = await engine.fetch(try TestExchange(server.url, timeouts: timeouts))
    let succeeds = Self.differences[example.id] == nil ? example.succeeds : !example.succeeds
    #expect((recorder.error == nil) == succeeds, "\(String(describing: recorder.error)) \(recorder.heads)")
  }

  /// libcurl 7.88 joins such a line to the last field of the handle's previous response, which it has freed.
  @Test(arguments: ["", "HTTP/1.1 103 Early Hints\r\n Link: x\r\n\r\n"], [" Date: x", "\tDate: x"])
  @ReactorActor func foldBeforeTheFirstFieldIsMalformedAfterOtherResponses(
    _ interim: String, _ fold: String
  ) async throws {
    let fields = (0..<40).map { "X-Field-\($0): \(String(repeating: "v", count: $0 * 7))\r\n" }.joined()
    let server = ScriptedServer { peer, _ in
      while let (head, _) = peer.request() {
        guard head.hasPrefix("GET /fold") else {
          peer.send("HTTP/1.1 200 OK\r\n\(fields)Content-Length: 0\r\n\r\n")
          continue
        }
        peer.send("\(interim)HTTP/1.1 200 OK\r\n\(fold)\r\nContent-Length: 0\r\n\r\n")
      }
    }
    defer { server.stop() }
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    for _ in 0..<20 {
      let plain = await engine.fetch(try TestExchange(server.url))
      #expect(plain.error == nil)
      let folded = await engine.fetch(try TestExchange(server.url + "/fold"))
      #expect(folded.error == .malformedResponse)
    }
  }

  @Test(
    arguments: [
      ("HTTP/1.1 200\r\n\r\n", true), ("HTTP/1.1 999 X\r\nContent-Length: 0\r\n\r\n", true),
      ("HTTP/1.1\r\n\r\n", false), ("HTTP/1.1 20 X\r\n\r\n", false), ("HTTP/1.1 2000 X\r\n\r\n", false),
      ("<html>no head at all</html>", false), ("HTTP/1.1 101 Go\r\nUpgrade: x\r\n\r\n", false),
    ]
  )
  @ReactorActor func statusLineHasThreeDigits(_ reply: String, succeeds: Bool) async throws {
    let server = ScriptedServer { peer, _ in
      _ = peer.request()
      peer.send(reply)
    }
    defer { server.stop() }
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    let recorder = await engine.fetch(try TestExchange(server.url))
    #expect(recorder.error == (succeeds ? nil : .malformedResponse))
  }

  /// What may go on for ever ends at a bound: head, interim responses, trailers.
  @Test(
    arguments: [
      ("HTTP/1.1 200 OK\r\n", "X-Filler: 0123456789\r\n"),
      ("HTTP/1.1 200 OK\r\nX: ", "0123456789abcdef"),
      ("", "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"),
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", "X-Filler: 0123456789\r\n"),
    ]
  )
  @ReactorActor func endlessHeadersAreTooLarge(_ start: String, _ filler: String) async throws {
    let server = ScriptedServer { peer, _ in
      _ = peer.request()
      peer.send(start)
      let block = [UInt8](String(repeating: filler, count: 1000).utf8)
      for _ in 0..<1000 where peer.send(block) {}
    }
    defer { server.stop() }
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    let recorder = await engine.fetch(try TestExchange(server.url))
    #expect(recorder.error == .headersTooLarge)
  }
}
