import Testing
import WatchwordCore
import WatchwordReactor
import WatchwordTestSupport
import WatchwordTransport
import WatchwordVocabulary

@Suite struct RequestFaultTests {
  init() { LoopThread.started }

  private func fault(
    method: String = "GET", _ headers: [HeaderField] = [], body: ExchangeBody = .none,
    authorization: String? = nil
  ) throws -> RequestFault? {
    var request = try TestExchange("http://h/", method: method, headers: headers, body: body)
    request.authorization = authorization.map { Secret($0.utf8) }
    return RequestFault.find(in: request.request, with: body)
  }

  @Test func plainRequestHasNoFault() throws {
    #expect(try fault([HeaderField("X", "ü\t~")], authorization: "Basic eA==") == nil)
    #expect(try fault(method: "PROPFIND") == nil)
  }

  @Test(arguments: ["", "GE T", "GET\r\n", "CONNECT", "GÉT"])
  func methodIsAToken(_ method: String) throws { #expect(try fault(method: method) == .method) }

  @Test(arguments: ["", "X:", "X Y", "X\r\n", "Ä", "X\0"])
  func fieldNameIsAToken(_ name: String) throws {
    #expect(try fault([HeaderField("Ok", "1"), HeaderField(name, "v")]) == .fieldName(1))
  }

  @Test(arguments: ["a\r\nb", "a\rb", "a\nb", "a\0b", "a\u{7F}", "\u{1}"])
  func fieldValueHasNoControlCharacter(_ value: String) throws {
    #expect(try fault([HeaderField("X", value)]) == .fieldValue(0))
  }

  @Test(arguments: ["a\r\nb", "a\0b", ""])
  func authorizationHasNoControlCharacter(_ value: String) throws {
    #expect(try fault(authorization: value) == .authorization)
  }

  @Test func framingIsTheTransports() throws {
    let body = ExchangeBody.bytes([1, 2, 3])
    #expect(try fault(method: "POST", [HeaderField("content-length", "3")], body: body) == nil)
    #expect(try fault(method: "POST", [HeaderField("Content-Length", "4")], body: body) == .framing(0))
    #expect(try fault(method: "POST", [HeaderField("Content-Length", "+3")], body: body) == .framing(0))
    #expect(try fault([HeaderField("Transfer-Encoding", "chunked")]) == .framing(0))
    #expect(try fault([HeaderField("Upgrade", "h2c")]) == .framing(0))
    #expect(try fault([HeaderField("Expect", "the-unexpected")]) == .framing(0))
    #expect(try fault(method: "HEAD", body: body) == .body)
  }

  @Test @ReactorActor func faultyRequestIsNeverSent() async throws {
    let server = ScriptedServer { peer, _ in _ = peer.request() }
    defer { server.stop() }
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    let request = try TestExchange(server.url, headers: [HeaderField("X", "a\r\nInjected: b")])
    let recorder = await engine.fetch(request)
    #expect(recorder.error == .other(code: 43))
    #expect(server.connections == 0)
  }
}
