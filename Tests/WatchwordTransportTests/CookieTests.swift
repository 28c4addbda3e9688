import Testing
import WatchwordCore
import WatchwordReactor
import WatchwordTestSupport
import WatchwordTransport
import WatchwordVocabulary

@Suite struct CookieTests {
  init() { LoopThread.started }

  /// `/set?X` answers with `Set-Cookie: X`; every path answers with the `Cookie` field that came.
  private static func server() -> ScriptedServer {
    ScriptedServer { peer, _ in
      while let (head, _) = peer.request() {
        let lines = head.split(separator: "\r\n")
        let cookie = lines.filter { $0.lowercased().hasPrefix("cookie:") }.joined(separator: "|")
        let target = lines[0].split(separator: " ")[1]
        let set = target.split(separator: "?").dropFirst().joined().split(separator: "&")
          .map { "Set-Cookie: \($0.replacing("%20", with: " "))\r\n" }.joined()
        peer.send("HTTP/1.1 200 OK\r\n\(set)Content-Length: \(cookie.utf8.count)\r\n\r\n\(cookie)")
      }
    }
  }

  private static func engine(_ policy: SessionConfiguration.Cookies, _ server: ScriptedServer) throws
    -> CurlEngine
  {
    var configuration = EngineConfiguration()
    configuration.cookiePolicy = policy
    configuration.resolve = ["a.example.com", "b.example.com", "example.com"].map {
      (hostAndPort: "\($0):\(server.port)", address: "127.0.0.1")
    }
    return try assumeOnLoop { try CurlEngine(configuration) }
  }

  @Test @ReactorActor func cookiesAreKeptSentListedAndRemoved() async throws {
    let server = Self.server()
    defer { server.stop() }
    let engine = try Self.engine(.accept, server)
    defer { engine.shutDown() }
    let host = "http://a.example.com:\(server.port)"
    let set = "/set?one=1;Path=/&two=2;Domain=example.com;Path=/;HttpOnly&three=3;Path=/x;Max-Age=1000"
    _ = await engine.fetch(try TestExchange(host + set))
    #expect(await engine.fetch(try TestExchange(host)).text.contains("one=1"))
    #expect(await engine.fetch(try TestExchange(host)).text.contains("two=2"))
    #expect(await !engine.fetch(try TestExchange(host)).text.contains("three=3"))
    #expect(await engine.fetch(try TestExchange(host + "/x")).text.contains("three=3"))
    let other = await engine.fetch(try TestExchange("http://b.example.com:\(server.port)/"))
    #expect(other.text == "Cookie: two=2")
    let cookies = engine.cookies.list().sorted { $0.name < $1.name }
    try #require(cookies.map(\.name) == ["one", "three", "two"])
    #expect(
      cookies[0].domain == "a.example.com" && !cookies[0].includesSubdomains && cookies[0].expires == nil)
    #expect(cookies[1].path == "/x" && cookies[1].expires != nil)
    #expect(cookies[2].domain == "example.com" && cookies[2].includesSubdomains && cookies[2].isHTTPOnly)
    #expect(engine.cookies.remove(domain: "EXAMPLE.com", name: nil) == 1)
    #expect(engine.cookies.remove(domain: nil, name: "one") == 1)
    #expect(engine.cookies.remove(domain: "a.example.com", name: "one") == 0)
    #expect(engine.cookies.list().map(\.name) == ["three"])
    #expect(engine.cookies.remove(domain: nil, name: nil) == 1)
    #expect(await engine.fetch(try TestExchange(host + "/x")).text == "")
  }

  @Test @ReactorActor func cookieOfAPublicSuffixIsRefused() async throws {
    let server = Self.server()
    defer { server.stop() }
    let engine = try Self.engine(.accept, server)
    defer { engine.shutDown() }
    let url = "http://a.example.com:\(server.port)/set?evil=1;Domain=com&evil=2;Domain=other.test"
    _ = await engine.fetch(try TestExchange(url))
    #expect(engine.cookies.list().isEmpty)
  }

  @Test @ReactorActor func originOnlyKeepsNothingForOtherHosts() async throws {
    let server = Self.server()
    defer { server.stop() }
    let engine = try Self.engine(.originOnly, server)
    defer { engine.shutDown() }
    let set = "/set?wide=1;Domain=example.com;Path=/&own=2;Path=/&same=3;Domain=a.example.com;Path=/"
    _ = await engine.fetch(try TestExchange("http://a.example.com:\(server.port)" + set))
    #expect(Set(engine.cookies.list().map(\.name)) == ["own", "same"])
    #expect(engine.cookies.list().allSatisfy { !$0.includesSubdomains && $0.domain == "a.example.com" })
    #expect(await engine.fetch(try TestExchange("http://b.example.com:\(server.port)/")).text == "")
  }

  @Test @ReactorActor func neverMeansNone() async throws {
    let server = Self.server()
    defer { server.stop() }
    let engine = try Self.engine(.never, server)
    defer { engine.shutDown() }
    _ = await engine.fetch(try TestExchange("\(server.url)/set?one=1"))
    engine.cookies.set(Self.cookie)
    #expect(engine.cookies.list().isEmpty)
    #expect(await engine.fetch(try TestExchange(server.url)).text == "")
  }

  @Test(arguments: [("Cookie", "mine=1", "cookie: mine=1"), ("Host", "a.example.com", "")])
  @ReactorActor func callersCookieFieldIsSentAsItIs(_ name: String, _ value: String, _ sent: String)
    async throws
  {
    let server = Self.server()
    defer { server.stop() }
    let engine = try Self.engine(.accept, server)
    defer { engine.shutDown() }
    _ = await engine.fetch(try TestExchange("http://a.example.com:\(server.port)/set?one=1;Path=/"))
    let url = name == "Host" ? server.url : "http://a.example.com:\(server.port)/"
    let recorder = await engine.fetch(try TestExchange(url, headers: [HeaderField(name, value)]))
    #expect(recorder.text.lowercased() == sent)
    let plain = await engine.fetch(try TestExchange("http://a.example.com:\(server.port)/"))
    #expect(plain.text == "Cookie: one=1")
  }

  private static let cookie = Cookie(
    name: "n", value: "v", domain: "127.0.0.1", includesSubdomains: false, path: "/", expires: nil,
    isSecure: false, isHTTPOnly: false)

  @Test @ReactorActor func cookieThatIsSetIsSentAndMustBePlain() async throws {
    let server = Self.server()
    defer { server.stop() }
    let engine = try Self.engine(.accept, server)
    defer { engine.shutDown() }
    engine.cookies.set(Self.cookie)
    for change in ["a\tb", "a\r\nb", "a\0"] {
      var bad = Self.cookie
      bad.value = change
      engine.cookies.set(bad)
      bad = Self.cookie
      bad.domain = change
      engine.cookies.set(bad)
    }
    #expect(engine.cookies.list() == [Self.cookie])
    #expect(await engine.fetch(try TestExchange(server.url)).text == "Cookie: n=v")
  }
}
