import Testing
import WatchwordCore
import WatchwordReactor
import WatchwordTestSupport
import WatchwordTransport
import WatchwordVocabulary

/// Who gets a connection when there are fewer than exchanges.
@Suite struct LineTests {
  init() { LoopThread.started }

  private static func server() -> ScriptedServer {
    ScriptedServer { peer, _ in
      while peer.request() != nil { peer.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok") }
    }
  }

  @ReactorActor private static func engine(connections: Int) throws -> CurlEngine {
    var configuration = EngineConfiguration()
    configuration.connectionsPerHost = connections
    return try CurlEngine(configuration)
  }

  @Test @ReactorActor func theHighestPriorityGoesFirstAndOfThatTheOldest() async throws {
    let server = Self.server()
    defer { server.stop() }
    let engine = try Self.engine(connections: 1)
    defer { engine.shutDown() }
    var order: [String] = []
    var recorders: [Recorder] = []
    for (name, priority) in [("first", 0.0), ("a", 0.2), ("b", 0.9), ("c", 0.5), ("d", 0.9), ("e", 0.5)] {
      let recorder = Recorder()
      recorder.onFinish = { order.append(name) }
      recorders.append(recorder)
      let request = try TestExchange(server.url, priority: priority)
      _ = engine.start(request, delegate: recorder)
    }
    for recorder in recorders { await recorder.finished() }
    #expect(recorders.allSatisfy { $0.error == nil })
    #expect(order == ["first", "b", "d", "c", "e", "a"])
    #expect(engine.connectionsOpened == 1)
  }

  @ReactorActor private final class Kept {
    weak var url: RequestURL?
  }

  /// Fetches a URL, and says later whether the engine has kept it.
  @ReactorActor private static func fetch(_ url: String, _ engine: CurlEngine) async throws -> Kept {
    let kept = Kept()
    let request = try TestExchange(url)
    kept.url = request.url
    #expect(await engine.fetch(request).error == nil)
    return kept
  }

  @Test(arguments: [(8, true), (2000, false)])
  @ReactorActor func theLastURLIsKeptUntilConnectionsAreClosed(_ length: Int, _ isKept: Bool) async throws {
    let server = Self.server()
    defer { server.stop() }
    let engine = try Self.engine(connections: 1)
    defer { engine.shutDown() }
    let kept = try await Self.fetch(server.url + "/a?" + String(repeating: "t", count: length), engine)
    #expect((kept.url != nil) == isKept)
    engine.closeIdleConnections(startingAgain: true)
    #expect(kept.url == nil)
  }

  @Test @ReactorActor func noPasswordOfAURLOutlivesItsExchange() async throws {
    let server = Self.server()
    defer { server.stop() }
    let engine = try Self.engine(connections: 1)
    defer { engine.shutDown() }
    let port = server.url.split(separator: ":").last ?? ""
    let kept = try await Self.fetch("http://reader:secret@127.0.0.1:\(port)/a", engine)
    #expect(kept.url == nil)
  }

  @Test @ReactorActor func cancelledOnesLeaveTheLine() async throws {
    let server = Self.server()
    defer { server.stop() }
    let engine = try Self.engine(connections: 1)
    defer { engine.shutDown() }
    let recorders = (0..<40).map { _ in Recorder() }
    let exchanges = try recorders.map { engine.start(try TestExchange(server.url), delegate: $0) }
    for (index, exchange) in exchanges.enumerated() where index % 2 == 1 { exchange.cancel() }
    for (index, recorder) in recorders.enumerated() where index % 2 == 0 { await recorder.finished() }
    for (index, recorder) in recorders.enumerated() {
      #expect(recorder.text == (index % 2 == 0 ? "ok" : ""))
      #expect(recorder.finishes == (index % 2 == 0 ? 1 : 0))
    }
  }

  @Test @ReactorActor func anExchangeThatFailsLetsTheNextOneGo() async throws {
    let engine = try Self.engine(connections: 1)
    defer { engine.shutDown() }
    let recorders = (0..<500).map { _ in Recorder() }
    for recorder in recorders {
      // No server listens on the discard port.
      _ = engine.start(try TestExchange("http://127.0.0.1:9/"), delegate: recorder)
    }
    for recorder in recorders { await recorder.finished() }
    #expect(recorders.allSatisfy { $0.error == .connectionFailed(.connectionRefused) })
  }

  @Test @ReactorActor func oneOriginDoesNotWaitForAnother() async throws {
    let silent = ScriptedServer { peer, _ in _ = peer.receive(1) }
    let server = Self.server()
    defer {
      server.stop()
      silent.stop()
    }
    let engine = try Self.engine(connections: 1)
    defer { engine.shutDown() }
    for _ in 0..<10 { _ = engine.start(try TestExchange(silent.url), delegate: Recorder()) }
    #expect(await engine.fetch(try TestExchange(server.url)).text == "ok")
  }

  @Test @ReactorActor func thoseInLineHearThatTheEngineIsShutDown() async throws {
    let silent = ScriptedServer { peer, _ in while !peer.receive(1).isEmpty {} }
    defer { silent.stop() }
    let engine = try Self.engine(connections: 2)
    let recorders = (0..<20).map { _ in Recorder() }
    for recorder in recorders { _ = engine.start(try TestExchange(silent.url), delegate: recorder) }
    engine.shutDown()
    for recorder in recorders { await recorder.finished() }
    #expect(recorders.allSatisfy { $0.error == .cancelled && $0.finishes == 1 })
  }
}
