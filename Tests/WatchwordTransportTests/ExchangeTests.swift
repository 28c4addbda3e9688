import Testing
import WatchwordCore
import WatchwordReactor
import WatchwordTestSupport
import WatchwordTransport
import WatchwordVocabulary

@Suite struct ExchangeTests {
  init() { LoopThread.started }

  @Test @ReactorActor func getDeliversHeadBodyAndMetrics() async throws {
    let server = ScriptedServer { peer, _ in
      while peer.request() != nil {
        peer.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-One: a\r\nX-One: b\r\n\r\nhello")
      }
    }
    defer { server.stop() }
    let engine = try CurlEngine(EngineConfiguration())
    let first = await engine.fetch(try TestExchange(server.url + "/a?b"))
    #expect(first.error == nil)
    #expect(first.status == 200)
    #expect(first.heads.first?.headers.values(of: "x-one") == ["a", "b"])
    #expect(first.text == "hello")
    #expect(first.metrics?.isReused == false)
    #expect(first.metrics?.networkProtocol == "http/1.1")
    let second = await engine.fetch(try TestExchange(server.url + "/again"))
    #expect(second.text == "hello")
    #expect(second.metrics?.isReused == true)
    #expect(engine.openConnections == 1)
    #expect(engine.connectionsOpened == 1)
    #expect(engine.connectionsReused == 1)
    engine.shutDown()
    #expect(engine.openConnections == 0)
  }

  /// libcurl is given some URLs in parts and others as text.
  @Test @ReactorActor func requestTargetGoesOutAsItIsSpelled() async throws {
    let server = ScriptedServer { peer, _ in
      while let (head, _) = peer.request() {
        peer.send("HTTP/1.1 200 OK\r\nContent-Length: \(head.utf8.count)\r\n\r\n\(head)")
      }
    }
    defer { server.stop() }
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    let targets = [
      "/", "/a", "/?", "/?a", "/a/?", "/a?b=c&d", "/a?b?c", "//a//", "/a;b=c,d", "/a:b@c", "/%41%C3%bc",
      "/a?%2F%2f",
      "/a%?b", "/a+b?c+d", "/a.b/..c/d..", "/!$&'()*~",
    ]
    for target in targets {
      let recorder = await engine.fetch(try TestExchange(server.url + target))
      #expect(recorder.text.hasPrefix("GET \(target) HTTP/1.1\r\n"))
      #expect(recorder.text.contains("\r\nHost: \(server.url.dropFirst("http://".count))\r\n"))
    }
    #expect(engine.connectionsOpened == 1)
  }

  @Test @ReactorActor func postSendsItsBytes() async throws {
    let server = ScriptedServer { peer, _ in
      while let (head, body) = peer.requestWithBody() {
        let answer = head + String(decoding: body, as: UTF8.self)
        peer.send("HTTP/1.1 200 OK\r\nContent-Length: \(answer.utf8.count)\r\n\r\n\(answer)")
      }
    }
    defer { server.stop() }
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    let headers = [HeaderField("X-Empty", ""), HeaderField("X-A", "1"), HeaderField("x-a", "2")]
    var request = try TestExchange(
      server.url + "/p", method: "POST", headers: headers, body: .bytes(Array("body".utf8)))
    request.authorization = Secret("Basic abc".utf8)
    let recorder = await engine.fetch(request)
    #expect(recorder.error == nil)
    let lines = recorder.text.split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
    #expect(lines.first == "POST /p HTTP/1.1")
    #expect(lines.filter { $0.lowercased().hasPrefix("x-") } == ["X-Empty:", "X-A: 1", "x-a: 2"])
    #expect(lines.contains("Authorization: Basic abc"))
    #expect(lines.contains("Content-Length: 4"))
    #expect(!recorder.text.contains("Content-Type"))
    #expect(!recorder.text.contains("Expect"))
    #expect(lines.last == "body")
    #expect(recorder.sent == [4])
  }

  /// The value is asked for once, when a connection is there, and goes out beside the other fields or alone.
  @Test(arguments: [[], [HeaderField("X-A", "1")]])
  @ReactorActor func lateAuthorizationIsAskedForWhenTheRequestGoesOut(_ headers: [HeaderField]) async throws {
    let server = ScriptedServer { peer, _ in
      while let (head, _) = peer.request() {
        peer.send("HTTP/1.1 200 OK\r\nContent-Length: \(head.utf8.count)\r\n\r\n\(head)")
      }
    }
    defer { server.stop() }
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    for count in 1...3 {
      let recorder = Recorder()
      var asked = 0
      recorder.onAuthorization = {
        asked += 1
        return Secret("Digest \(count)-\(asked)".utf8)
      }
      var request = try TestExchange(server.url, headers: headers, decodesContent: false)
      request.isAuthorizedLate = true
      _ = engine.start(request, delegate: recorder)
      await recorder.finished()
      let lines = recorder.text.split(separator: "\r\n").map(String.init)
      #expect(lines.contains("Authorization: Digest \(count)-1") && asked == 1)
      #expect(lines.filter { $0.hasPrefix("X-") } == headers.map { "\($0.name): \($0.value)" })
    }
  }

  @Test @ReactorActor func lateAuthorizationThatCannotBeAValueSendsNothing() async throws {
    let server = ScriptedServer { peer, _ in _ = peer.request() }
    defer { server.stop() }
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    let recorder = Recorder()
    recorder.onAuthorization = { Secret("Digest \r\nX: y".utf8) }
    var request = try TestExchange(server.url)
    request.isAuthorizedLate = true
    _ = engine.start(request, delegate: recorder)
    await recorder.finished()
    #expect(recorder.error != nil && recorder.heads.isEmpty)
  }
}
