import Glibc
import Testing
import WatchwordCore
import WatchwordReactor
import WatchwordTestSupport
import WatchwordTransport
internal import WatchwordVocabulary

@Suite struct BodyTests {
  init() { LoopThread.started }

  /// Answers each request with what it sent: the head's lines and a checksum of the body, chunked or not.
  static func echo() -> ScriptedServer {
    ScriptedServer { peer, _ in
      while let (head, rest) = peer.request() {
        if head.contains("Expect: 100-continue") { peer.send("HTTP/1.1 100 Continue\r\n\r\n") }
        let body = head.contains("chunked") ? peer.chunks(rest) : peer.rest(of: head, rest)
        guard let body else { return }
        let answer =
          "\(head.split(separator: "\r\n").sorted().joined(separator: "\n"))\n\(body.count) \(sum(body))"
        peer.send("HTTP/1.1 200 OK\r\nContent-Length: \(answer.utf8.count)\r\n\r\n\(answer)")
      }
    }
  }

  /// Eight bytes at once: a step for each would take most of these tests' time in a build for a sanitizer.
  static func sum(_ bytes: some Collection<UInt8>) -> UInt64 {
    let seed: UInt64 = 14_695_981_039_346_656_037
    return bytes.withContiguousStorageIfAvailable { storage in
      let memory = UnsafeRawBufferPointer(storage)
      let end = memory.count & ~7
      var sum = memory[end...].reduce(seed) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
      for offset in stride(from: 0, to: end, by: 8) {
        sum = (sum ^ memory.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* 1_099_511_628_211
      }
      return sum
    } ?? 0
  }

  /// Returns after a prime number of bytes, so that no two pieces that are sent at once are alike.
  private static let period = (0..<65_521).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

  static func pattern(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + period.count)
    while bytes.count < count { bytes += period }
    bytes.removeLast(bytes.count - count)
    return bytes
  }

  static func file(_ bytes: [UInt8], in folder: String = "/tmp") -> Int32 {
    var path = Array("\(folder)/watchword-body-XXXXXX".utf8CString)
    let descriptor = mkstemp(&path)
    unlink(path)
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { break }
      rest = rest.dropFirst(count)
    }
    return descriptor
  }

  /// It counts before any of it has gone, and for as long as the exchange lasts.
  @Test @ReactorActor func bytesInMemoryCountFromTheBeginning() async throws {
    let server = Self.echo()
    defer { server.stop() }
    let memory = CountedMemory()
    let engine = try CurlEngine(EngineConfiguration(), memory: memory)
    defer { engine.shutDown() }
    let recorder = Recorder()
    let before = memory.count
    _ = engine.start(
      try TestExchange(server.url, method: "PUT", body: .bytes(Self.pattern(1_000_000))), delegate: recorder)
    #expect(memory.count - before >= 1_000_000 && recorder.sent.isEmpty)
    await recorder.finished()
    #expect(recorder.error == nil && memory.count - before < 1_000_000)
  }

  @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 1_000_000, 3_000_000])
  @ReactorActor func bytesOfAnySizeArrive(_ count: Int) async throws {
    let server = Self.echo()
    defer { server.stop() }
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    let body = Self.pattern(count)
    let sum = Self.sum(body)
    for _ in 0..<2 {
      let recorder = await engine.fetch(
        try TestExchange(server.url, method: "PUT", body: .bytes(body)))
      #expect(recorder.error == nil)
      #expect(recorder.text.hasSuffix("\n\(count) \(sum)"))
      #expect(recorder.text.contains("PUT / HTTP/1.1"))
      #expect(recorder.text.contains("Content-Length: \(count)"))
      #expect(!recorder.text.contains("Expect"))
      #expect((recorder.sent.last ?? 0) == Int64(count))
    }
    #expect(engine.connectionsOpened == 1)
  }

  @Test(arguments: [
    ("GET", false), ("DELETE", false), ("POST", true), ("PUT", true), ("PATCH", true), ("HEAD", false),
  ])
  @ReactorActor func emptyBodyIsDeclaredWhereOneIsExpected(_ method: String, _ declares: Bool) async throws {
    let server = Self.echo()
    defer { server.stop() }
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    let recorder = await engine.fetch(try TestExchange(server.url, method: method))
    #expect(recorder.error == nil)
    #expect(recorder.text.contains("Content-Length: 0") == declares)
    #expect(method == "HEAD" ? recorder.text.isEmpty : recorder.text.contains("\(method) / HTTP/1.1"))
  }

  @Test @ReactorActor func oneSlotSendsEveryKindOfRequest() async throws {
    let server = Self.echo()
    defer { server.stop() }
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    let bodies: [(String, ExchangeBody, Int)] = [
      ("POST", .bytes([1, 2, 3]), 3), ("GET", .none, 0), ("POST", .none, 0), ("PUT", .bytes([]), 0),
      ("GET", .bytes([1]), 1), ("DELETE", .none, 0), ("POST", .bytes([1, 2]), 2), ("PROPFIND", .none, 0),
    ]
    for (method, body, count) in bodies {
      let recorder = await engine.fetch(try TestExchange(server.url, method: method, body: body))
      #expect(recorder.error == nil)
      #expect(recorder.text.contains("\(method) / HTTP/1.1"))
      #expect(recorder.text.contains("\n\(count) "))
      #expect(!recorder.text.contains("Content-Type"))
      #expect(!recorder.text.contains("chunked"))
    }
    #expect(engine.connectionsOpened == 1)
  }

  /// One file is in the page cache, one is not and is read by the pool, and one is nowhere else than in memory.
  @Test(arguments: [("/tmp", true), ("/var/tmp", false), ("/dev/shm", true)])
  @ReactorActor func partOfAFileIsSentAgainAndAgain(_ folder: String, isCached: Bool) async throws {
    let server = Self.echo()
    defer { server.stop() }
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    let body = Self.pattern(2_000_000)
    let descriptor = Self.file(body, in: folder)
    defer { close(descriptor) }
    let sum = Self.sum(body[1000..<1_500_000])
    for _ in 0..<2 {
      if !isCached {
        try #require(fsync(descriptor) == 0)
        try #require(posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED) == 0)
      }
      let recorder = await engine.fetch(
        try TestExchange(
          server.url, method: "POST", body: .file(descriptor: descriptor, offset: 1000, length: 1_499_000)))
      #expect(recorder.error == nil)
      #expect(recorder.text.hasSuffix("\n1499000 \(sum)"))
    }
    #expect(lseek(descriptor, 0, SEEK_CUR) == off_t(body.count))
  }

  @Test @ReactorActor func fileShorterThanDeclaredFails() async throws {
    let server = Self.echo()
    defer { server.stop() }
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    let descriptor = Self.file(Self.pattern(100))
    defer { close(descriptor) }
    let recorder = await engine.fetch(
      try TestExchange(
        server.url, method: "POST", body: .file(descriptor: descriptor, offset: 0, length: 200)))
    #expect(recorder.error == .requestBodyFailed)
  }

  @Test @ReactorActor func unusableDescriptorFails() async throws {
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    let directory = open("/", O_RDONLY | O_DIRECTORY)
    let device = open("/dev/zero", O_RDONLY)
    let writable = open("/dev/null", O_WRONLY)
    defer { for descriptor in [directory, device, writable] { close(descriptor) } }
    for descriptor in [directory, device, writable, -1] {
      for body in [
        ExchangeBody.file(descriptor: descriptor, offset: 0, length: 1), .stream(descriptor: descriptor),
      ] {
        let recorder = await engine.fetch(
          try TestExchange("http://127.0.0.1:1/", method: "POST", body: body))
        #expect(recorder.error == .requestBodyFailed)
      }
    }
  }

  @Test(arguments: [false, true])
  @ReactorActor func streamIsSentAsItComesAndItsFlagsStay(_ isSocket: Bool) async throws {
    let server = Self.echo()
    defer { server.stop() }
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    var ends: [Int32] = [0, 0]
    if isSocket { socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) } else { pipe(&ends) }
    let (source, sink) = (ends[0], ends[1])
    let body = Self.pattern(700_000)
    Thread.start {
      for start in stride(from: 0, to: body.count, by: 70_000) {
        body[start..<(start + 70_000)].withUnsafeBytes {
          var sent = 0
          while sent < $0.count {
            sent += max(0, write(sink, $0.baseAddress.map { $0 + sent }, $0.count - sent))
          }
        }
        Bell.waitForTheLoop()
      }
      close(sink)
    }
    let recorder = await engine.fetch(
      try TestExchange(server.url, method: "POST", body: .stream(descriptor: source)))
    #expect(recorder.error == nil)
    #expect(recorder.text.hasSuffix("\n700000 \(Self.sum(body))"))
    #expect(recorder.text.contains("Expect: 100-continue"))
    #expect(recorder.text.contains("Transfer-Encoding: chunked"))
    #expect(fcntl(source, F_GETFL) & O_NONBLOCK == 0)
    close(source)
  }

  @Test @ReactorActor func emptyStreamIsAnEmptyBody() async throws {
    let server = Self.echo()
    defer { server.stop() }
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    close(ends[1])
    let recorder = await engine.fetch(
      try TestExchange(server.url, method: "POST", body: .stream(descriptor: ends[0])))
    close(ends[0])
    #expect(recorder.error == nil)
    #expect(recorder.text.contains("\n0 "))
  }

  /// The connection is found dead after the request went out on it. libcurl would send it again on a new one.
  @Test(arguments: [false, true])
  @ReactorActor func requestIsSentToOneConnectionOnly(_ isStream: Bool) async throws {
    let received = Locked(0)
    let server = ScriptedServer { peer, number in
      while let (head, rest) = peer.request() {
        if head.hasPrefix("POST") { received.withLock { $0 += 1 } }
        if number == 0, head.hasPrefix("POST") {
          peer.reset()
          return
        }
        if head.contains("Expect") { peer.send("HTTP/1.1 100 Continue\r\n\r\n") }
        let body = head.contains("chunked") ? peer.chunks(rest) : peer.rest(of: head, rest)
        let answer = "\(body?.count ?? 0)"
        peer.send("HTTP/1.1 200 OK\r\nContent-Length: \(answer.utf8.count)\r\n\r\n\(answer)")
      }
    }
    defer { server.stop() }
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    _ = await engine.fetch(try TestExchange(server.url))
    var body = ExchangeBody.bytes([UInt8](repeating: 1, count: 1234))
    var ends: [Int32] = [0, 0]
    if isStream {
      pipe(&ends)
      var bytes = [UInt8](repeating: 1, count: 1234)
      write(ends[1], &bytes, bytes.count)
      close(ends[1])
      body = .stream(descriptor: ends[0])
    }
    let recorder = await engine.fetch(try TestExchange(server.url, method: "POST", body: body))
    if isStream { close(ends[0]) }
    #expect(recorder.finishes == 1)
    #expect(recorder.error == .connectionLost(ConnectionLoss(isBeforeFirstByte: true, wasStale: true)))
    // A stream waits for `100 Continue`, so that nothing of it has been taken.
    #expect(recorder.sent.isEmpty)
    #expect(received.withLock { $0 } == 1)
    #expect(await engine.fetch(try TestExchange(server.url, method: "POST")).error == nil)
  }

  /// The same when the server had taken a part: bytes of a stream are gone.
  @Test @ReactorActor func streamIsNotSentTwice() async throws {
    let server = ScriptedServer { peer, number in
      while let (head, _) = peer.request() {
        if head.hasPrefix("POST") {
          peer.send("HTTP/1.1 100 Continue\r\n\r\n")
          _ = peer.receive(1000)
          peer.reset()
          return
        }
        peer.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
      }
    }
    defer { server.stop() }
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    _ = await engine.fetch(try TestExchange(server.url))
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    var bytes = [UInt8](repeating: 1, count: 60_000)
    write(ends[1], &bytes, bytes.count)
    let recorder = await engine.fetch(
      try TestExchange(server.url, method: "POST", body: .stream(descriptor: ends[0])))
    for end in ends { close(end) }
    #expect(recorder.heads.isEmpty)
    #expect(recorder.error == .connectionLost(ConnectionLoss(isBeforeFirstByte: false, wasStale: true)))
  }

  /// libcurl would send the request again by itself.
  @Test @ReactorActor func refusedExpectationIsDelivered() async throws {
    let server = ScriptedServer { peer, _ in
      while let (head, rest) = peer.request() {
        if head.contains("Expect") {
          peer.send("HTTP/1.1 417 No\r\nContent-Length: 2\r\n\r\nno")
        } else {
          let body = peer.chunks(rest)
          peer.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n\(body?.count ?? 0)")
        }
      }
    }
    defer { server.stop() }
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    var bytes: [UInt8] = [1, 2, 3]
    write(ends[1], &bytes, 3)
    close(ends[1])
    var request = try TestExchange(server.url, method: "POST", body: .stream(descriptor: ends[0]))
    let refused = await engine.fetch(request)
    #expect(refused.error == nil)
    #expect(refused.heads.map(\.status) == [417])
    #expect(refused.sent.isEmpty)
    request.repetition.omitsExpect = true
    let recorder = await engine.fetch(request)
    close(ends[0])
    #expect(recorder.error == nil)
    #expect(recorder.heads.map(\.status) == [200])
    #expect(recorder.text == "3")
  }
}

extension ScriptedServer.Peer {
  /// A body of declared length, of which `start` has come already.
  func rest(of head: String, _ start: [UInt8]) -> [UInt8]? {
    let line = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
    let length = line.flatMap { Int($0.dropFirst(16)) } ?? 0
    var body = start
    while body.count < length {
      let more = receive(min(65_536, length - body.count))
      guard !more.isEmpty else { return nil }
      body += more
    }
    return body
  }

  /// A chunked body, of which `start` has come already.
  func chunks(_ start: [UInt8]) -> [UInt8]? {
    var input = start
    var position = 0
    var body: [UInt8] = []
    func fill(_ count: Int) -> Bool {
      while input.count - position < count {
        let more = receive(65_536)
        guard !more.isEmpty else { return false }
        input += more
      }
      return true
    }
    while true {
      var size = 0
      while true {
        guard fill(1) else { return nil }
        let byte = input[position]
        position += 1
        if byte == 10 { break }
        if let digit = Character(Unicode.Scalar(byte)).hexDigitValue { size = size * 16 + digit }
      }
      guard fill(size + 2) else { return nil }
      body += input[position..<(position + size)]
      position += size + 2
      if size == 0 { return body }
    }
  }
}

/// Counts what an engine holds.
@ReactorActor
private final class CountedMemory: HeldMemory {
  private(set) var count = 0

  func another() -> Self { self }
  func grow(by more: Int) -> Bool {
    count += more
    return true
  }
  func growAnyway(by more: Int) { count += more }
  func shrink(by less: Int) { count -= less }
}
