import CTransport
import Testing
import WatchwordCore
import WatchwordReactor
import WatchwordTestSupport
import WatchwordTransport
import WatchwordVocabulary

@Suite struct HTTP2Tests {
  /// A body goes over HTTP/1.1 where that is spoken and the library loses early answers over HTTP/2.
  private static let protocolOfBodies = transport_library_loses_early_responses() ? "HTTP/1.1" : "HTTP/2.0"

  init() { LoopThread.started }

  @ReactorActor private static func engine(http2: Bool = true) throws -> CurlEngine {
    var configuration = EngineConfiguration()
    configuration.extraRoots = HTTP2Origin.shared.certificate
    configuration.exclusiveRoots = true
    configuration.allowsHTTP2 = http2
    return try CurlEngine(configuration)
  }

  private static let largeCount = 16 * (32 << 16)

  @Test @ReactorActor func exchangesShareOneConnection() async throws {
    let engine = try Self.engine()
    defer { engine.shutDown() }
    var recorders: [Recorder] = []
    for _ in 0..<50 {
      let recorder = Recorder()
      recorders.append(recorder)
      _ = engine.start(try TestExchange(HTTP2Origin.shared.url + "/small"), delegate: recorder)
    }
    for recorder in recorders {
      await recorder.finished()
      #expect(recorder.error == nil)
      #expect(recorder.text == "small")
      #expect(recorder.metrics?.networkProtocol == "h2")
    }
    #expect(engine.connectionsOpened == 1)
    #expect(engine.openConnections == 1)
  }

  @Test @ReactorActor func versionCanBeHeldDown() async throws {
    let engine = try Self.engine()
    defer { engine.shutDown() }
    let first = await engine.fetch(try TestExchange(HTTP2Origin.shared.url + "/small"))
    #expect(first.metrics?.networkProtocol == "h2")
    var request = try TestExchange(HTTP2Origin.shared.url + "/small")
    request.repetition.lostConnections = RepetitionRule.limitOverHTTP2
    let held = await engine.fetch(request)
    #expect(held.metrics?.networkProtocol == "http/1.1")
    #expect(held.metrics?.isReused == false)
    let again = await engine.fetch(try TestExchange(HTTP2Origin.shared.url + "/small"))
    #expect(again.metrics?.networkProtocol == "h2")
    let old = try Self.engine(http2: false)
    defer { old.shutDown() }
    let plain = await old.fetch(try TestExchange(HTTP2Origin.shared.url + "/small"))
    #expect(plain.metrics?.networkProtocol == "http/1.1")
  }

  @Test @ReactorActor func methodsBodiesAndFieldsArrive() async throws {
    let engine = try Self.engine()
    defer { engine.shutDown() }
    let url = HTTP2Origin.shared.url + "/method"
    var request = try TestExchange(
      url, method: "PUT", headers: [HeaderField("X-Empty", "")],
      body: .bytes([UInt8](repeating: 1, count: 60_000)))
    request.authorization = Secret("Basic eDp5".utf8)
    let put = await engine.fetch(request)
    #expect(put.error == nil)
    #expect(put.text == "PUT 60000  \(Self.protocolOfBodies)")
    #expect(await engine.fetch(try TestExchange(url, method: "HEAD")).error == nil)
    #expect(await engine.fetch(try TestExchange(url, method: "DELETE")).text == "DELETE   HTTP/2.0")
  }

  /// Something new counts while the first connection is made: its partition is retired, and what began there ends well.
  @Test(arguments: 0..<12) @ReactorActor func aBodyFindsAConnectionInARetiredPartition(_ turns: Int)
    async throws
  {
    let engine = try Self.engine()
    defer { engine.shutDown() }
    let recorder = Recorder()
    let body = ExchangeBody.bytes([UInt8](repeating: 1, count: 6_000))
    let request = try TestExchange(HTTP2Origin.shared.url + "/method", method: "PUT", body: body)
    _ = engine.start(request, delegate: recorder)
    for _ in 0..<turns { await Task.yield() }
    engine.closeIdleConnections()
    await recorder.finished()
    #expect(recorder.error == nil)
    #expect(recorder.text == "PUT 6000  \(Self.protocolOfBodies)")
  }

  /// The origin answers without reading the body.
  @Test @ReactorActor func aLargeBodyArrives() async throws {
    let engine = try Self.engine()
    defer { engine.shutDown() }
    let body = ExchangeBody.bytes([UInt8](repeating: 1, count: 300_000))
    let recorder = await engine.fetch(
      try TestExchange(HTTP2Origin.shared.url + "/method", method: "PUT", body: body))
    #expect(recorder.error == nil)
    #expect(recorder.text == "PUT 300000  \(Self.protocolOfBodies)")
  }

  @Test @ReactorActor func enoughResetsTheStreamAndKeepsTheConnection() async throws {
    let engine = try Self.engine()
    defer { engine.shutDown() }
    let cut = Recorder()
    cut.onBody = { _, _ in cut.bodyCount > 100_000 ? .enough : .taken }
    _ = engine.start(try TestExchange(HTTP2Origin.shared.url + "/large"), delegate: cut)
    await cut.finished()
    #expect(cut.error == nil && cut.bodyCount < Self.largeCount)
    let next = await engine.fetch(try TestExchange(HTTP2Origin.shared.url + "/small"))
    #expect(next.text == "small")
    #expect(engine.connectionsOpened == 1)
  }

  /// One that takes nothing must not hold up its neighbours on the connection.
  @Test @ReactorActor func pausedExchangeDoesNotStopTheOthers() async throws {
    let engine = try Self.engine()
    defer { engine.shutDown() }
    let paused = Recorder()
    paused.keepsBody = false
    var refused = false
    paused.onBody = { _, _ in
      if refused { return .taken }
      refused = true
      return .pause
    }
    let exchange = engine.start(try TestExchange(HTTP2Origin.shared.url + "/large"), delegate: paused)
    while !refused { await FlowTests.wait(0.005) }
    for _ in 0..<20 {
      #expect(await engine.fetch(try TestExchange(HTTP2Origin.shared.url + "/small")).text == "small")
    }
    let large = Recorder()
    large.keepsBody = false
    _ = engine.start(try TestExchange(HTTP2Origin.shared.url + "/large"), delegate: large)
    await large.finished()
    #expect(large.bodyCount == Self.largeCount)
    #expect(paused.finishes == 0)
    exchange.resume()
    await paused.finished()
    #expect(paused.error == nil)
    #expect(paused.bodyCount == Self.largeCount)
    #expect(engine.connectionsOpened <= 2)
  }

  @Test @ReactorActor func cancelledExchangeLeavesTheConnection() async throws {
    let engine = try Self.engine()
    defer { engine.shutDown() }
    for _ in 0..<5 {
      let recorder = Recorder()
      recorder.keepsBody = false
      var gone = false
      recorder.onBody = { exchange, _ in
        if recorder.bodyCount > 100_000 {
          gone = true
          exchange.cancel()
        }
        return .taken
      }
      _ = engine.start(try TestExchange(HTTP2Origin.shared.url + "/large"), delegate: recorder)
      while !gone { await FlowTests.wait(0.002) }
      #expect(await engine.fetch(try TestExchange(HTTP2Origin.shared.url + "/small")).text == "small")
      #expect(recorder.finishes == 0)
    }
    #expect(engine.connectionsOpened <= 5)
  }
}
