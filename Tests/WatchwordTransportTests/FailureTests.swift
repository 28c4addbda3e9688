import Glibc
import Testing
import WatchwordCore
import WatchwordReactor
import WatchwordTestSupport
import WatchwordTransport

@Suite struct FailureTests {
  init() { LoopThread.started }

  private static let quick = ExchangeTimeouts(connectSeconds: 0.2, requestSeconds: 0.2)
  /// Shorter than the whole, longer than a pause between two quick ones.
  private static let fair = ExchangeTimeouts(connectSeconds: 30, requestSeconds: 1.1)
  /// A loop that stops for longer tells nothing of either.
  private static let longestStall = 0.4

  @Test(arguments: ["", "HTTP/1.1 200 OK\r\nX: y", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"])
  @ReactorActor func stallEndsInTheRequestTimeout(_ before: String) async throws {
    let server = ScriptedServer { peer, _ in
      _ = peer.request()
      peer.send(before)
      _ = peer.receive(1)
    }
    defer { server.stop() }
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    let recorder = await engine.fetch(try TestExchange(server.url, timeouts: Self.quick))
    #expect(recorder.error == .timedOut(.request))
    #expect(engine.openConnections == 0)
  }

  /// Their ends take long, and what others have to do is done between them.
  @Test @ReactorActor func exchangesThatTimeOutTogetherEndInSteps() async throws {
    let count = 40
    let server = ScriptedServer { peer, _ in _ = peer.receive(1 << 16) + peer.receive(1) }
    defer { server.stop() }
    var configuration = EngineConfiguration()
    configuration.connectionsPerHost = count
    let engine = try CurlEngine(configuration)
    defer { engine.shutDown() }
    let other = EventLoop.shared.taker(of: 4711)
    var (ended, between) = (0, 0)
    let recorders = (0..<count).map { _ in Recorder() }
    for recorder in recorders {
      recorder.onFinish = {
        ended += 1
        other.add { if ended < count { between += 1 } }
        let end = EventLoop.monotonicSeconds() + 0.003
        while EventLoop.monotonicSeconds() < end {}
      }
      _ = engine.start(try TestExchange(server.url, timeouts: Self.quick), delegate: recorder)
    }
    for recorder in recorders {
      await recorder.finished()
      #expect(recorder.error == .timedOut(.request))
    }
    // One for nearly each; in one go they would come after the last.
    #expect(between >= count / 2)
  }

  /// Quick timeouts, one after the other, that take longer than a fair one.
  private static let rounds = 6

  /// Lets a quick timeout pass with a server that is silent, and rings after each.
  @ReactorActor private func letTimePass(_ engine: CurlEngine, ringing bell: Bell) async throws {
    let silent = ScriptedServer { peer, _ in _ = peer.receive(1 << 16) + peer.receive(1) }
    defer { silent.stop() }
    for _ in 0..<Self.rounds {
      let recorder = await engine.fetch(try TestExchange(silent.url, timeouts: Self.quick))
      #expect(recorder.error == .timedOut(.request))
      bell.ring()
    }
  }

  @Test @ReactorActor func progressKeepsTheTimeoutAway() async throws {
    let recorder = try await StallWatch.untroubled(by: Self.longestStall) {
      let bell = Bell()
      let server = ScriptedServer { peer, _ in
        _ = peer.request()
        peer.send("HTTP/1.1 200 OK\r\nContent-Length: \(Self.rounds)\r\n\r\n")
        for _ in 0..<Self.rounds {
          bell.wait()
          peer.send("x")
        }
      }
      defer { server.stop() }
      let engine = try CurlEngine(EngineConfiguration())
      defer { engine.shutDown() }
      let recorder = Recorder()
      _ = engine.start(try TestExchange(server.url, timeouts: Self.fair), delegate: recorder)
      try await letTimePass(engine, ringing: bell)
      await recorder.finished()
      return recorder
    }
    #expect(recorder.error == nil)
    #expect(recorder.text == String(repeating: "x", count: Self.rounds))
  }

  /// Waiting for one of the host's connections is no silence of the server's.
  @Test @ReactorActor func timeDoesNotRunWhileWaitingForAConnection() async throws {
    let recorders = try await StallWatch.untroubled(by: Self.longestStall) {
      let bell = Bell()
      let server = ScriptedServer { peer, _ in
        while peer.request() != nil {
          bell.wait()
          peer.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx")
        }
      }
      defer { server.stop() }
      var configuration = EngineConfiguration()
      configuration.connectionsPerHost = 1
      let engine = try CurlEngine(configuration)
      defer { engine.shutDown() }
      let recorders = (0..<Self.rounds).map { _ in Recorder() }
      for recorder in recorders {
        _ = engine.start(try TestExchange(server.url, timeouts: Self.fair), delegate: recorder)
      }
      try await letTimePass(engine, ringing: bell)
      for recorder in recorders { await recorder.finished() }
      return recorders
    }
    #expect(recorders.allSatisfy { $0.error == nil })
  }

  @Test @ReactorActor func connectionThatIsNotAcceptedTimesOut() async throws {
    // A full backlog answers no SYN.
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    var fillers: [Int32] = []
    withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = bind(listener, $0, length)
        _ = listen(listener, 0)
        _ = getsockname(listener, $0, &length)
        for _ in 0..<4 {
          let filler = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
          _ = connect(filler, $0, length)
          fillers.append(filler)
        }
      }
    }
    defer { for filler in fillers { close(filler) } }
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    let port = UInt16(bigEndian: address.sin_port)
    let recorder = await engine.fetch(
      try TestExchange("http://127.0.0.1:\(port)/", timeouts: Self.quick))
    #expect(recorder.error == .timedOut(.connect))
  }

  @Test @ReactorActor func refusedConnectionAndUnknownNameAreTyped() async throws {
    let server = ScriptedServer { _, _ in }
    let url = server.url
    server.stop()
    await FlowTests.wait(0.05)
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    #expect(await engine.fetch(try TestExchange(url)).error == .connectionFailed(.connectionRefused))
    let unknown = await engine.fetch(try TestExchange("http://no-such-host.invalid/"))
    #expect(unknown.error == .nameNotResolved)
  }

  @Test @ReactorActor func resetAtEveryByteIsAnError() async throws {
    let whole = Array("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody".utf8)
    let server = ScriptedServer { peer, number in
      guard let (head, _) = peer.request() else { return }
      let count = Int(head.split(separator: " ")[1].dropFirst()) ?? 0
      peer.send(Array(whole[..<count]))
      // A reset takes away what has not been read.
      Bell.waitForTheLoop()
      peer.reset()
    }
    defer { server.stop() }
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    for count in 0..<whole.count {
      let recorder = await engine.fetch(try TestExchange("\(server.url)/\(count)"))
      #expect(recorder.finishes == 1)
      #expect(recorder.error != nil)
      if recorder.heads.isEmpty && count == 0 {
        #expect(recorder.error == .connectionLost(ConnectionLoss(isBeforeFirstByte: true)))
      }
    }
    #expect(await engine.fetch(try TestExchange("\(server.url)/\(whole.count)")).error == nil)
  }

  @Test @ReactorActor func bytesAfterTheBodyDoNotReachTheNextExchange() async throws {
    let server = ScriptedServer { peer, number in
      _ = peer.request()
      let evil = number == 0 ? "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil" : ""
      peer.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok" + evil)
      _ = peer.receive(1)
    }
    defer { server.stop() }
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    for _ in 0..<2 {
      let recorder = await engine.fetch(try TestExchange(server.url))
      #expect(recorder.text == "ok")
    }
  }

  @Test @ReactorActor func privateAddressIsRefusedAfterResolution() async throws {
    let server = FlowTests.download(1)
    defer { server.stop() }
    var configuration = EngineConfiguration()
    configuration.refusesPrivateAddresses = true
    configuration.resolve = [(hostAndPort: "rebound.test:\(server.port)", address: "127.0.0.1")]
    let engine = try CurlEngine(configuration)
    defer { engine.shutDown() }
    for host in ["127.0.0.1", "localhost", "rebound.test", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0"] {
      let recorder = await engine.fetch(try TestExchange("http://\(host):\(server.port)/"))
      #expect(recorder.error == .addressRefused, "\(host)")
    }
    #expect(server.connections == 0)
  }

  @Test @ReactorActor func resolveEntriesReplaceTheResolver() async throws {
    let server = FlowTests.download(3)
    defer { server.stop() }
    var configuration = EngineConfiguration()
    configuration.resolve = [(hostAndPort: "Named.test:\(server.port)", address: "127.0.0.1")]
    let engine = try CurlEngine(configuration)
    defer { engine.shutDown() }
    #expect(await engine.fetch(try TestExchange("http://named.test:\(server.port)/")).text == "aaa")
    for entry in [("named.test", "127.0.0.1"), ("named.test:80", "nonsense"), (":80", "::1"), ("h:0", "::1")]
    {
      configuration.resolve = [(hostAndPort: entry.0, address: entry.1)]
      #expect(throws: EngineFault.resolveEntry(entry.0)) { try CurlEngine(configuration) }
    }
  }
}
