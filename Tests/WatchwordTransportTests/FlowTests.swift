import Glibc
import Synchronization
import Testing
import WatchwordCore
import WatchwordReactor
import WatchwordTestSupport
import WatchwordTransport

/// Pausing, resuming, cancelling and ending, at every point where a delegate or an owner can do it.
@Suite struct FlowTests {
  init() { LoopThread.started }

  /// Sends `count` bytes after a head without a length.
  static func download(_ count: Int) -> ScriptedServer {
    ScriptedServer { peer, _ in
      while peer.request() != nil {
        peer.send("HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n")
        let chunk = [UInt8](repeating: 0x61, count: 65_536)
        var left = count
        while left > 0 {
          guard peer.send(Array(chunk.prefix(left))) else { return }
          left -= chunk.count
        }
      }
    }
  }

  @Test @ReactorActor func refusedBytesAreOfferedAgain() async throws {
    let server = Self.download(1_000_000)
    defer { server.stop() }
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    let recorder = Recorder()
    var refusals = 0
    var calls = 0
    recorder.onBody = { exchange, _ in
      calls += 1
      guard calls % 3 == 0 else { return .taken }
      refusals += 1
      switch refusals % 3 {
      // Resumed later, at the end of the turn, and even before the answer.
      case 0: _ = EventLoop.shared.schedule(after: 0.001) { exchange.resume() }
      case 1: EventLoop.shared.atEndOfTurn { exchange.resume() }
      default: exchange.resume()
      }
      return .pause
    }
    _ = engine.start(try TestExchange(server.url), delegate: recorder)
    await recorder.finished()
    #expect(recorder.error == nil)
    #expect(recorder.bodyCount == 1_000_000)
    #expect(refusals > 10)
  }

  @Test @ReactorActor func enoughEndsTheExchangeWellAndItsConnection() async throws {
    let server = Self.download(10_000_000)
    defer { server.stop() }
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    for _ in 0..<2 {
      let recorder = Recorder()
      recorder.onBody = { _, _ in recorder.bodyCount > 100_000 ? .enough : .taken }
      _ = engine.start(try TestExchange(server.url), delegate: recorder)
      await recorder.finished()
      #expect(recorder.error == nil && recorder.finishes == 1)
      #expect(recorder.metrics?.isReused == false)
      #expect(recorder.bodyCount < 10_000_000)
    }
    #expect(engine.openConnections == 0)
  }

  @Test @ReactorActor func pausedExchangeTakesNoMoreFromTheServer() async throws {
    let taken = Mutex(0)
    let server = ScriptedServer { peer, _ in
      _ = peer.request()
      peer.send("HTTP/1.1 200 OK\r\n\r\n")
      let chunk = [UInt8](repeating: 0x61, count: 65_536)
      for _ in 0..<1024 where peer.send(chunk) { taken.withLock { $0 += chunk.count } }
    }
    defer { server.stop() }
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    let recorder = Recorder()
    recorder.keepsBody = false
    let exchange = engine.start(try TestExchange(server.url), delegate: recorder)
    exchange.pause()
    await Self.wait(0.3)
    #expect(recorder.bodyCount == 0)
    // What the buffers of the two sockets hold, and one of libcurl's.
    #expect(taken.withLock { $0 } < 16 << 20)
    exchange.resume()
    await recorder.finished()
    #expect(recorder.error == nil)
    #expect(recorder.bodyCount == 64 << 20)
  }

  @Test @ReactorActor func timeDoesNotRunWhilePaused() async throws {
    let server = Self.download(100_000)
    defer { server.stop() }
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    let recorder = Recorder()
    let timeouts = ExchangeTimeouts(connectSeconds: 5, requestSeconds: 0.5)
    let exchange = engine.start(try TestExchange(server.url, timeouts: timeouts), delegate: recorder)
    exchange.pause()
    await Self.wait(1)
    #expect(recorder.finishes == 0)
    exchange.resume()
    await recorder.finished()
    #expect(recorder.error == nil)
    #expect(recorder.bodyCount == 100_000)
  }

  /// Sends a head and one byte, and then nothing.
  static func stalled() -> ScriptedServer {
    ScriptedServer { peer, _ in
      guard peer.request() != nil else { return }
      peer.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\na")
      _ = peer.receive(1)
    }
  }

  @Test @ReactorActor func timeRunsAgainAfterAPauseLongerThanItself() async throws {
    let server = Self.stalled()
    defer { server.stop() }
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    let recorder = Recorder()
    let timeouts = ExchangeTimeouts(connectSeconds: 5, requestSeconds: 1)
    let exchange = engine.start(try TestExchange(server.url, timeouts: timeouts), delegate: recorder)
    recorder.onHead = { $0.pause() }
    await Self.wait(1.5)
    #expect(recorder.finishes == 0)
    exchange.resume()
    await recorder.finished()
    #expect(recorder.error == .timedOut(.request))
  }

  /// Long before the request timeout.
  @Test @ReactorActor func restThatTakesTooLongEndsTheExchangeAndItsConnection() async throws {
    let server = Self.stalled()
    defer { server.stop() }
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    let recorder = Recorder()
    recorder.onHead = { $0.limitRest(seconds: 0.1) }
    _ = engine.start(try TestExchange(server.url), delegate: recorder)
    await recorder.finished()
    #expect(recorder.error == .timedOut(.request))
    #expect(recorder.status == 200)
    #expect(engine.openConnections == 0)
  }

  enum Point: CaseIterable, Sendable { case atOnce, endOfTurn, head, body, secondBody, paused, sent }

  @Test(arguments: Point.allCases)
  @ReactorActor func cancelledExchangeIsSilentAndHarmsNoOther(_ point: Point) async throws {
    let server = Self.download(2_000_000)
    defer { server.stop() }
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    let other = Recorder()
    _ = engine.start(try TestExchange(server.url), delegate: other)
    let recorder = Recorder()
    var calls = 0
    var eventsAfter = 0
    var isCancelled = false
    func cancel(_ exchange: any Exchange) {
      isCancelled = true
      exchange.cancel()
    }
    recorder.onSent = { if isCancelled { eventsAfter += 1 } else if point == .sent { cancel($0) } }
    recorder.onHead = { if isCancelled { eventsAfter += 1 } else if point == .head { cancel($0) } }
    recorder.onBody = { exchange, _ in
      calls += 1
      if isCancelled { eventsAfter += 1 }
      if point == .body || (point == .secondBody && calls == 2) { cancel(exchange) }
      guard point == .paused else { return .taken }
      _ = EventLoop.shared.schedule(after: 0.01) { cancel(exchange) }
      return .pause
    }
    recorder.onFinish = { eventsAfter += 1 }
    let exchange = engine.start(
      try TestExchange(server.url, method: "POST", body: .bytes([1])), delegate: recorder)
    if point == .atOnce { cancel(exchange) }
    if point == .endOfTurn { EventLoop.shared.atEndOfTurn { cancel(exchange) } }
    await other.finished()
    #expect(other.error == nil)
    #expect(other.bodyCount == 2_000_000)
    await Self.wait(0.05)
    #expect(isCancelled)
    #expect(eventsAfter == 0)
    exchange.cancel()
    exchange.resume()
    // The engine still works, and the cancelled connection is gone.
    let after = await engine.fetch(try TestExchange(server.url))
    #expect(after.bodyCount == 2_000_000)
    #expect(engine.openConnections <= 2)
  }

  @Test @ReactorActor func exchangesStartedAndCancelledInsideCallbacksAreSafe() async throws {
    let server = Self.download(50_000)
    defer { server.stop() }
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    var inner: [Recorder] = []
    let request = try TestExchange(server.url)
    for _ in 0..<20 {
      let victim = Recorder()
      let running = engine.start(request, delegate: victim)
      let recorder = Recorder()
      recorder.onHead = { _ in
        running.cancel()
        let next = Recorder()
        inner.append(next)
        _ = engine.start(request, delegate: next)
      }
      _ = engine.start(request, delegate: recorder)
      await recorder.finished()
      #expect(recorder.bodyCount == 50_000)
    }
    for recorder in inner {
      await recorder.finished()
      #expect(recorder.bodyCount == 50_000)
    }
  }

  enum End: CaseIterable, Sendable { case head, body, finish, outside }

  @Test(arguments: End.allCases)
  @ReactorActor func engineCanBeShutDownFromAnywhere(_ end: End) async throws {
    let server = Self.download(300_000)
    defer { server.stop() }
    let engine = try CurlEngine(EngineConfiguration())
    var recorders: [Recorder] = []
    for _ in 0..<8 {
      let recorder = Recorder()
      recorder.onHead = { _ in if end == .head { engine.shutDown() } }
      recorder.onBody = { _, _ in
        if end == .body { engine.shutDown() }
        return .taken
      }
      recorder.onFinish = { if end == .finish { engine.shutDown() } }
      recorders.append(recorder)
      _ = engine.start(try TestExchange(server.url), delegate: recorder)
    }
    if end == .outside { engine.shutDown() }
    for recorder in recorders {
      await recorder.finished()
      #expect(recorder.error == nil || recorder.error == .cancelled)
      #expect(recorder.finishes == 1)
    }
    #expect(engine.openConnections == 0)
    let late = await engine.fetch(try TestExchange(server.url))
    #expect(late.error == .cancelled)
  }

  @Test @ReactorActor func connectionsPerHostAreBounded() async throws {
    let server = Self.download(1000)
    defer { server.stop() }
    var configuration = EngineConfiguration()
    configuration.connectionsPerHost = 3
    let engine = try CurlEngine(configuration)
    defer { engine.shutDown() }
    var recorders: [Recorder] = []
    for _ in 0..<100 {
      let recorder = Recorder()
      recorders.append(recorder)
      _ = engine.start(try TestExchange(server.url), delegate: recorder)
    }
    for recorder in recorders {
      await recorder.finished()
      #expect(recorder.error == nil)
    }
    #expect(server.connections <= 3)
    #expect(engine.connectionsOpened == server.connections)
    #expect(engine.connectionsReused == 100 - server.connections)
    #expect(engine.openConnections == server.connections)
  }

  @Test @ReactorActor func closingIdleConnectionsLetsRunningExchangesEnd() async throws {
    let server = Self.download(500_000)
    defer { server.stop() }
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    _ = await engine.fetch(try TestExchange(server.url))
    engine.cookies.set(
      Cookie(
        name: "a", value: "b", domain: "h.test", includesSubdomains: false, path: "/", expires: nil,
        isSecure: false, isHTTPOnly: true))
    let running = Recorder()
    _ = engine.start(try TestExchange(server.url), delegate: running)
    running.onHead = { _ in engine.closeIdleConnections() }
    await running.finished()
    #expect(running.bodyCount == 500_000)
    #expect(engine.cookies.list().map(\.name) == ["a"])
    let after = await engine.fetch(try TestExchange(server.url))
    #expect(after.metrics?.isReused == false)
    #expect(engine.openConnections == 1)
  }

  /// libcurl would find out with the next exchange, which may never come.
  @Test(arguments: ["", "unasked for"])
  @ReactorActor func idleConnectionThatItsServerEndsIsClosed(_ last: String) async throws {
    let server = ScriptedServer { peer, _ in
      _ = peer.request()
      peer.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx")
      Bell.waitForTheLoop()
      peer.send(last)
      if !last.isEmpty { _ = peer.receive(1) }
    }
    defer { server.stop() }
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    let recorder = await engine.fetch(try TestExchange(server.url))
    #expect(recorder.error == nil && engine.connectionsOpened == 1)
    for _ in 0..<200 where engine.openConnections > 0 { await Self.wait(0.1) }
    #expect(engine.openConnections == 0)
  }

  /// libcurl does not ask for a paused exchange's socket either, and what its server sends waits there.
  @Test @ReactorActor func pausedExchangeOutlivesTheSweepsOfIdleConnections() async throws {
    let server = ScriptedServer { peer, number in
      _ = peer.request()
      guard number > 0 else {
        peer.send("HTTP/1.1 200 OK\r\nContent-Length: \(8 << 20)\r\n\r\n")
        for _ in 0..<128 { peer.send([UInt8](repeating: 0x61, count: 65_536)) }
        return
      }
      peer.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx")
      Bell.waitForTheLoop()
    }
    defer { server.stop() }
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    let paused = Recorder()
    paused.keepsBody = false
    let exchange = engine.start(try TestExchange(server.url), delegate: paused)
    let head = Recorder()
    paused.onHead = { exchange in
      exchange.pause()
      EventLoop.shared.atEndOfTurn { head.exchange(exchange, didFinish: nil, metrics: ExchangeMetrics()) }
    }
    await head.finished()
    for _ in 0...4 {
      _ = await engine.fetch(try TestExchange(server.url))
      for _ in 0..<200 where engine.openConnections > 1 { await Self.wait(0.1) }
      #expect(engine.openConnections == 1)
    }
    exchange.resume()
    await paused.finished()
    #expect(paused.error == nil)
    #expect(paused.bodyCount == 8 << 20)
  }

  /// The slot of an exchange that is cancelled then is freed already.
  @Test @ReactorActor func exchangeCanBeCancelledInTheTurnThatShutsTheEngineDown() async throws {
    let server = ScriptedServer { peer, _ in
      _ = peer.request()
      peer.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nx")
      _ = peer.receive(1)
    }
    defer { server.stop() }
    let engine = try CurlEngine(EngineConfiguration())
    let bell = Recorder()
    let recorder = Recorder()
    let exchange = engine.start(try TestExchange(server.url), delegate: recorder)
    recorder.onBody = { _, _ in
      EventLoop.shared.atEndOfTurn {
        engine.shutDown()
        exchange.cancel()
        exchange.resume()
        bell.exchange(exchange, didFinish: nil, metrics: ExchangeMetrics())
      }
      return .taken
    }
    await bell.finished()
    #expect(recorder.finishes == 0)
    #expect(engine.openConnections == 0)
  }

  @ReactorActor static func wait(_ seconds: Double) async {
    await withCheckedContinuation { continuation in
      _ = EventLoop.shared.schedule(after: seconds) { continuation.resume() }
    }
  }
}
