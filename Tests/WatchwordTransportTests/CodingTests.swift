import Testing
import WatchwordCore
import WatchwordReactor
import WatchwordTestSupport
import WatchwordTransport
import WatchwordVocabulary

@Suite struct CodingTests {
  init() { LoopThread.started }

  static let text = String(repeating: "the watchword, coded\n", count: 20)
  static let gzip = "H4sIAAAAAAAAAyvJSFUoTyxJzijPL0rRUUjOT0lN4SoZFRxMggDFs3p9pAEAAA=="
  static let samples = [
    ("gzip", gzip), ("x-gzip", gzip), ("deflate", "eJwryUhVKE8sSc4ozy9K0VFIzk9JTeEqGRUcTIIAT3qWtQ=="),
    ("deflate", "K8lIVShPLEnOKM8vStFRSM5PSU3hKhkVHEyCAA=="),
    ("br", "G6MB+B2pU5+7cD2G9kanQMhKoSwFGYW2JMGKi9pyviXRAQ=="),
    ("zstd", "KLUv/QRY5QAAqHRoZSB3YXRjaHdvcmQsIGNvZGVkCgEAGVGdTK8bgiA="),
  ]
  /// 64 MiB of zeros, in one layer of brotli, and in three of gzip.
  static let bombs = [
    ("br", "z///f/gnAOKxQCD3/p/////wTwDEYQGA7v0/////4Z8AiMMiAN37//z//8c/ARCHBQC69/8="),
    (
      "gzip, gzip, gzip",
      """
      H4sIAAAAAAACA5Pv5mAAASbmt3fW+zUlihx4KP7jjkRe10GXBm+DoBn1TDcX3CxkdNmc05PyUO1EXl5e2OxyBrPdGQXnnvz58lvvse35yX52\
      H9+8ub4/d7nX5q21WSb/lt/89P3d4rueDAwMDs/S9D+HlfJ4NBfZ2u1nYWBgKDK/eV/71eID50PfX7FiYGBQqO6+uCG6nqPmng/3a6BLGt7I\
      1u2fd2V7w/NPDx8csgOrkD4IciKHqwGIShLkASmLYGEGyUmApToIS0X2tjW/MlzwOzROfv5bFQYGBqXKO7X2Vbv9NUXrbXze/Hr0j4EBAGMW\
      ogMNAQAA
      """
    ),
  ]

  /// 3,355,000 empty members of gzip, in three more layers: 64 MiB inside, and nothing comes out.
  static let emptyBomb =
    """
    H4sIAAAAAAACA5Pv5mAAASbmt+cV+ZoSGBouxt+RaFUKZf/MEtId/oGBhXn2zLNJH1liHM8r3Dlk+czUh21y59lK9uaHtQ9f6+dP/qA7y259rV\
    SXypTTZbenzNbZV9L9KmJ+++HcrxZv3//f833GuvTd123mtchwjIJRMAoIghfiC/hNW/IPZxgwMwAAepi8AJ4DAAA=
    """

  static func serve(_ coding: String, _ body: [UInt8]) -> ScriptedServer {
    ScriptedServer { peer, _ in
      guard let (head, _) = peer.request() else { return }
      peer.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\nContent-Encoding: \(coding)\r\n")
      // It answers one request: the next one must not go over this connection before its end is seen.
      peer.send("Connection: close\r\n")
      let offered = head.split(separator: "\r\n").first { $0.hasPrefix("Accept-Encoding:") } ?? ""
      peer.send("X-Offered: \(offered.dropFirst(16))\r\n\r\n")
      peer.send(body)
    }
  }

  @Test(arguments: samples)
  @ReactorActor func contentIsDecoded(_ coding: String, _ body: String) async throws {
    let server = Self.serve(coding, VectorFile.base64(body))
    defer { server.stop() }
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    let recorder = await engine.fetch(try TestExchange(server.url))
    #expect(recorder.error == nil)
    #expect(recorder.text == Self.text)
    #expect(recorder.heads.first?.headers.first("x-offered")?.contains("gzip") == true)
    #expect(recorder.metrics.map { $0.bytesReceived < 400 } == true)
  }

  @Test @ReactorActor func contentIsLeftAloneWhenAsked() async throws {
    let server = Self.serve("gzip", VectorFile.base64(Self.gzip))
    defer { server.stop() }
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    let headers = [HeaderField("Accept-Encoding", "gzip;q=0.5")]
    let raw = await engine.fetch(try TestExchange(server.url, headers: headers, decodesContent: false))
    #expect(raw.body == VectorFile.base64(Self.gzip))
    #expect(raw.heads.first?.headers.first("x-offered") == "gzip;q=0.5")
    let decoded = await engine.fetch(try TestExchange(server.url, headers: headers))
    #expect(decoded.text == Self.text)
    #expect(decoded.heads.first?.headers.first("x-offered") == "gzip;q=0.5")
    let plain = await engine.fetch(try TestExchange(server.url, decodesContent: false))
    #expect(plain.heads.first?.headers.first("x-offered") == "")
  }

  @Test(
    arguments: [
      ("gzip", "bm90IGd6aXA="), ("br", "////////////////"), ("x-rot13", "YWJj"),
      (Array(repeating: "gzip", count: 20).joined(separator: ", "), gzip),
    ]
  )
  @ReactorActor func brokenCodingIsAnError(_ coding: String, _ body: String) async throws {
    let server = Self.serve(coding, VectorFile.base64(body))
    defer { server.stop() }
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    let recorder = await engine.fetch(try TestExchange(server.url))
    #expect(recorder.error == .contentDecodingFailed)
  }

  /// A server that ends a body early and says so properly, or a part of it that got lost on the way to a cache.
  @Test(arguments: samples)
  @ReactorActor func bodyThatEndsInItsCodingIsAnError(_ coding: String, _ body: String) async throws {
    let whole = VectorFile.base64(body)
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    // Every byte of both ends, and some of what is between.
    let ends = Array(1...12) + Array((whole.count - 12)..<whole.count)
    for count in Set(ends + Array(stride(from: 13, to: whole.count, by: 17))).sorted()
    where (1..<whole.count).contains(count) {
      let server = Self.serve(coding, Array(whole[..<count]))
      defer { server.stop() }
      let recorder = await engine.fetch(try TestExchange(server.url))
      #expect(recorder.error == .contentDecodingFailed, "\(count) of \(whole.count) bytes")
    }
  }

  @Test(arguments: samples.filter { $0.0 != "deflate" || $0.1 == samples[2].1 })
  @ReactorActor func bodyThatGoesOnAfterItsCodingIsAnError(_ coding: String, _ body: String) async throws {
    let server = Self.serve(coding, VectorFile.base64(body) + [0x55, 0x55, 0x55, 0x55, 0x55])
    defer { server.stop() }
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    let recorder = await engine.fetch(try TestExchange(server.url))
    #expect(recorder.error == .contentDecodingFailed)
  }

  @Test(arguments: ["gzip", "zstd"])
  @ReactorActor func membersThatFollowEachOtherAreOneBody(_ coding: String) async throws {
    let member = VectorFile.base64(try #require(Self.samples.first { $0.0 == coding }).1)
    let server = Self.serve(coding, member + member)
    defer { server.stop() }
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    let recorder = await engine.fetch(try TestExchange(server.url))
    #expect(recorder.error == nil)
    #expect(recorder.text == Self.text + Self.text)
  }

  @Test @ReactorActor func encodedBodyWithoutAnyByteIsEmpty() async throws {
    let server = Self.serve("gzip", [])
    defer { server.stop() }
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    let recorder = await engine.fetch(try TestExchange(server.url))
    #expect(recorder.error == nil)
    #expect(recorder.body.isEmpty)
  }

  /// Every piece is refused once, and comes again, at its place.
  @Test(arguments: samples + [bombs[1]])
  @ReactorActor func encodedBodyCanPauseAtAnyPiece(_ coding: String, _ body: String) async throws {
    let server = Self.serve(coding, VectorFile.base64(body))
    defer { server.stop() }
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    let recorder = Recorder()
    recorder.keepsBody = coding != Self.bombs[1].0
    var isRefused = false
    recorder.onBody = { exchange, _ in
      isRefused.toggle()
      guard isRefused else { return .taken }
      EventLoop.shared.atEndOfTurn { exchange.resume() }
      return .pause
    }
    _ = engine.start(try TestExchange(server.url), delegate: recorder)
    await recorder.finished()
    #expect(recorder.error == nil)
    if recorder.keepsBody {
      #expect(recorder.text == Self.text)
      // Before it is decoded, each byte is told once.
      #expect(recorder.content == VectorFile.base64(body))
    } else {
      #expect(recorder.bodyCount == 64 << 20)
    }
  }

  /// 64 MiB in steps of 1 MiB; between two of them others have their turn.
  @Test(arguments: bombs)
  @ReactorActor func bombLeavesTheLoopToOthers(_ coding: String, _ body: String) async throws {
    let server = Self.serve(coding, VectorFile.base64(body))
    defer { server.stop() }
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    let recorder = Recorder()
    recorder.keepsBody = false
    var steps: Set<UInt64> = []
    recorder.onBody = { _, _ in
      steps.insert(EventLoop.shared.steps)
      return .taken
    }
    _ = engine.start(try TestExchange(server.url), delegate: recorder)
    await recorder.finished()
    #expect(recorder.error == nil)
    #expect(recorder.bodyCount == 64 << 20)
    #expect(steps.count >= 60)
  }

  @Test @ReactorActor func bombThatComesToNothingLeavesTheLoopToOthers() async throws {
    let server = Self.serve("gzip, gzip, gzip, gzip", VectorFile.base64(Self.emptyBomb))
    defer { server.stop() }
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    let recorder = Recorder()
    let begin = EventLoop.shared.steps
    _ = engine.start(try TestExchange(server.url), delegate: recorder)
    await recorder.finished()
    #expect(recorder.error == nil)
    #expect(recorder.bodyCount == 0)
    #expect(EventLoop.shared.steps - begin >= 60)
  }

  /// A step of one layer cannot be divided; the clock is asked behind each.
  @Test func noLayerDecodesWhenTheTimeIsOver() throws {
    let decoding = try #require(try ContentDecoding(["gzip, gzip, gzip, gzip"]) { _ in true })
    let body = VectorFile.base64(Self.emptyBomb)
    var (calls, looks) = (UInt64(0), UInt64(0))
    var progress = ContentDecoding.Progress.unfinished
    while progress == .unfinished {
      calls += 1
      progress = try body.withUnsafeBytes {
        try decoding.receive(
          $0, inStep: calls,
          isOver: {
            looks += 1
            return true
          }
        ) { _ in true }
      }
    }
    #expect(progress == .taken && calls > 1000)
    // The last call finds nothing to decode.
    #expect(looks == calls - 1)
  }

  @Test(arguments: [
    ("br, zstd", true), ("gzip, br, deflate, br, gzip", true), ("br, br, br", false),
    ("zstd, gzip, br, zstd", false),
  ])
  func twoLayersMayHaveAWindow(_ codings: String, _ isPossible: Bool) {
    let decoding = try? ContentDecoding([codings]) { _ in true }
    #expect((decoding != nil) == isPossible)
  }

  /// Of brotli and zstd the window, which is made when the head of the body is there.
  @Test(arguments: bombs)
  func memoryIsCountedAndGivenBack(_ codings: String, _ body: String) throws {
    var held = 0
    var most = 0
    do {
      let decoding = try #require(
        try ContentDecoding([codings]) {
          held += $0
          most = max(most, held)
          return true
        })
      let atFirst = held
      #expect(atFirst >= 2 * 65_536)
      let bytes = VectorFile.base64(body)
      var step: UInt64 = 0
      while try bytes.withUnsafeBytes({
        try decoding.receive($0, inStep: step, isOver: { false }) { _ in true }
      })
        == .unfinished
      { step += 1 }
      #expect(codings != "br" || most > 1 << 24)
    }
    #expect(held == 0)
  }

  @Test func memoryThatIsRefusedIsNoBrokenCoding() throws {
    var held = 0
    do {
      let decoding = try #require(
        try ContentDecoding(["br"]) {
          guard held + $0 < 1 << 20 else { return false }
          held += $0
          return true
        })
      let bytes = VectorFile.base64(Self.bombs[0].1)
      #expect(throws: ContentDecoding.CodingFault.overBudget) {
        for step in 0..<1000 {
          _ = try bytes.withUnsafeBytes {
            try decoding.receive($0, inStep: UInt64(step), isOver: { false }) { _ in true }
          }
        }
      }
    }
    #expect(held == 0)
    #expect(throws: ContentDecoding.CodingFault.overBudget) { try ContentDecoding(["gzip"]) { _ in false } }
  }

  @Test @ReactorActor func compressedTransferIsRefused() async throws {
    let server = ScriptedServer { peer, _ in
      guard peer.request() != nil else { return }
      peer.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n")
      _ = peer.receive(1)
    }
    defer { server.stop() }
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    let recorder = await engine.fetch(try TestExchange(server.url))
    #expect(recorder.error == .malformedResponse)
  }

  @Test(arguments: bombs)
  @ReactorActor func bombIsCutAtTheBound(_ coding: String, _ body: String) async throws {
    let server = Self.serve(coding, VectorFile.base64(body))
    defer { server.stop() }
    var configuration = EngineConfiguration()
    configuration.decodedBodyBytes = 1_000_000
    let engine = try CurlEngine(configuration)
    defer { engine.shutDown() }
    let recorder = await engine.fetch(try TestExchange(server.url))
    #expect(recorder.error == .bodyTooLarge)
    #expect(recorder.bodyCount <= 1_000_000)
    #expect(recorder.bodyCount > 900_000)
  }
}
