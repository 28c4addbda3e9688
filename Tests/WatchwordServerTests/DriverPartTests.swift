import Glibc
import Testing
import WatchwordCore
import WatchwordMessages
import WatchwordReactor
import WatchwordTestSupport
import WatchwordTransport
import WatchwordVocabulary

@testable import WatchwordServer

/// The small parts of a task: its clock, the body that is held or sent, the result that is kept.
struct DriverPartTests {
  init() { LoopThread.started }

  // MARK: The clock

  /// What is spent suspended or waiting does not count (messages.md 5.1.6).
  @Test @ReactorActor func timeStandsStillUntilEveryPauseIsOver() async {
    var clock = ResourceClock(seconds: 0)
    var isOver = false
    clock.start { isOver = true }
    clock.pause(.asking)
    clock.pause(.suspended)
    for _ in 0..<3 { await DaemonScene.turn() }
    clock.resume(.asking)
    clock.resume(.asking)
    for _ in 0..<3 { await DaemonScene.turn() }
    #expect(!isOver)
    clock.resume(.suspended)
    await DaemonScene.until { isOver }
  }

  @Test @ReactorActor func aClockThatIsStoppedNeverExpires() async {
    var clock = ResourceClock(seconds: 0)
    var isOver = false
    clock.start { isOver = true }
    clock.pause(.asking)
    clock.stop()
    clock.resume(.asking)
    for _ in 0..<3 { await DaemonScene.turn() }
    #expect(!isOver)
  }

  // MARK: The held body

  @ReactorActor private static func take(_ count: Int, _ body: inout HeldBody, isKept: Bool = true)
    -> BodyAnswer
  {
    [UInt8](repeating: 1, count: count).withUnsafeBytes { body.receive($0, isKept: isKept) }
  }

  /// challenges.md 4.6.
  @Test @ReactorActor func aBodyIsHeldUpToItsCapacity() {
    let budget = MemoryBudget(limit: 1 << 20)
    var body = HeldBody(MemoryCharge(budget, uid: 1))
    #expect(Self.take(HeldBody.capacity - 1, &body) == .taken && !body.isCut)
    #expect(Self.take(1, &body) == .taken && !body.isCut)
    #expect(body.bytes.count == HeldBody.capacity && budget.total == HeldBody.capacity)
    #expect(Self.take(1, &body) == .taken && body.isCut)
    #expect(body.bytes.count == HeldBody.capacity)
    let rest = HeldBody.readLimit - HeldBody.capacity - 1
    #expect(Self.take(rest, &body) == .taken)
    #expect(Self.take(1, &body) == .enough)
    #expect(body.takeBytes().count == HeldBody.capacity && body.bytes.isEmpty && budget.total == 0)
    body.begin()
    #expect(!body.isCut && Self.take(1, &body) == .taken)
  }

  @Test @ReactorActor func whatIsNotKeptIsOnlyCounted() {
    let budget = MemoryBudget(limit: 10)
    var body = HeldBody(MemoryCharge(budget, uid: 1))
    #expect(Self.take(HeldBody.readLimit, &body, isKept: false) == .taken)
    #expect(budget.total == 0 && !body.isCut && body.bytes.isEmpty)
    #expect(Self.take(1, &body, isKept: false) == .enough)
  }

  @Test @ReactorActor func aBodyWithoutRoomIsCut() {
    let budget = MemoryBudget(limit: 10)
    var body = HeldBody(MemoryCharge(budget, uid: 1))
    #expect(Self.take(10, &body) == .taken && !body.isCut)
    #expect(Self.take(1, &body) == .taken && body.isCut && body.bytes.count == 10)
  }

  @Test @ReactorActor func aBodyIsReadForSoLong() {
    var body = HeldBody(MemoryCharge(MemoryBudget(limit: 10), uid: 1))
    #expect(body.secondsLeft(at: 100, quiet: 0.5) == 0.5)
    #expect(body.secondsLeft(at: 104.75, quiet: 0.5) == 0.25)
    #expect(body.secondsLeft(at: 106, quiet: 0.5) == 0)
    body.goOn()
    #expect(body.secondsLeft(at: 106, quiet: 9) == 5)
  }

  // MARK: The request's body

  private static func text(_ body: DigestBody) -> String {
    switch body {
    case .empty: "empty"
    case .unread: "unread"
    case .unknown: "unknown"
    case .hashed(let hash): "hashed \(hash)"
    }
  }

  private static func file(_ text: String, _ length: Int64, offset: Int64 = 0) throws -> RequestBody {
    let folder = try TemporaryFolder()
    let number = open(try folder.write(text, to: "f"), O_RDONLY)
    return RequestBody(
      .file(try CallerDescriptor(number, of: 1, for: .reading), offset: offset, length: length))
  }

  @Test func aBodyIsHashedWhereItIsCheap() throws {
    let none = RequestBody(.none)
    #expect(none.isEmpty && none.isReplayable && none.size == 0)
    #expect(Self.text(none.digestBody(.md5)) == "empty")
    let small = RequestBody(.bytes([UInt8](repeating: 1, count: 65536)))
    #expect(!small.isEmpty && small.isReplayable && small.size == 65536)
    #expect(Self.text(small.digestBody(.md5)).hasPrefix("hashed"))
    let large = RequestBody(.bytes([UInt8](repeating: 1, count: 65537)))
    #expect(Self.text(large.digestBody(.md5)) == "unread")
    large.keepHash(large.hashing())
    let hashed = Self.text(large.digestBody(.md5))
    #expect(hashed.hasPrefix("hashed"))
    // Once: the algorithm may differ the next time.
    #expect(Self.text(large.digestBody(.md5)) == "unread")
    large.keepHash(large.hashing())
    #expect(Self.text(large.digestBody(.sha256)) == "unread")
    large.keepHash(large.hashing())
    #expect(Self.text(large.digestBody(.sha256)) != hashed)
    let most: Int64 = 8 * 1024 * 1024
    #expect(Self.text(try Self.file("", most).digestBody(.md5)) == "unread")
    #expect(Self.text(try Self.file("", most + 1).digestBody(.md5)) == "unknown")
  }

  @Test func aFileIsHashedFromItsOffset() throws {
    let bytes = RequestBody(.bytes(Array("cde".utf8)))
    let hash = Self.text(bytes.hashing())
    #expect(Self.text(try Self.file("abcde", 3, offset: 2).hashing()) == hash)
    // Shorter than stated.
    #expect(Self.text(try Self.file("abcde", 4, offset: 2).hashing()) == "unknown")
    let long = String(repeating: "x", count: 200_000)
    let whole = Self.text(RequestBody(.bytes(Array(long.utf8))).hashing())
    #expect(Self.text(try Self.file(long, 200_000).hashing()) == whole)
    let file = try Self.file("abc", 3)
    #expect(file.isReplayable && file.size == 3 && !file.isEmpty)
  }

  @Test func aStreamIsSentOnce() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { close(ends[1]) }
    let stream = RequestBody(.stream(try CallerDescriptor(ends[0], of: 1, for: .reading)))
    #expect(!stream.isReplayable && !stream.isEmpty && stream.size == nil)
    #expect(Self.text(stream.digestBody(.md5)) == "unknown" && Self.text(stream.hashing()) == "unknown")
  }

  // MARK: Kept results

  @ReactorActor private static func entry(
    _ count: Int = 1, viewer: UInt64? = nil, expires: Double = 1000
  ) -> KeptResults.EndedTask {
    KeptResults.EndedTask(
      viewer: viewer.map { PeerIdentifier($0) },
      description: Sent.TaskSummary(
        task: "t", session: "s", url: "u", method: "GET", state: "finished", detached: true,
        bytesReceived: 0),
      member: "result", text: [UInt8](repeating: 1, count: count),
      charge: MemoryCharge(MemoryBudget(limit: 1), uid: 1), expires: EventLoop.shared.now + expires)
  }

  private static func name(_ number: Int) -> TaskName { TaskName(uid: 1, text: "t\(number)") }

  /// messages.md 5.6.2.
  @Test @ReactorActor func aResultIsForWhoMaySeeIt() {
    let results = KeptResults()
    let (one, two) = (PeerIdentifier(1), PeerIdentifier(2))
    results.keep(Self.entry(viewer: 1), as: Self.name(1))
    results.keep(Self.entry(), as: Self.name(2))
    #expect(results.entry(Self.name(1), for: one) != nil && results.entry(Self.name(1), for: two) == nil)
    #expect(results.entry(Self.name(2), for: two) != nil)
    #expect(results.entry(TaskName(uid: 2, text: "t2"), for: two) == nil)
    #expect(results.ofNamedSessions.map(\.name.text) == ["t2"] && results.count == 2)
    results.keep(Self.entry(viewer: 2), as: Self.name(2))
    #expect(results.count == 2 && results.entry(Self.name(2), for: one) == nil)
  }

  @Test @ReactorActor func soManyResultsAreKept() {
    let results = KeptResults()
    for number in 1...Limits.keptResults { results.keep(Self.entry(), as: Self.name(number)) }
    #expect(results.count == Limits.keptResults && results.entry(Self.name(1), for: PeerIdentifier(1)) != nil)
    results.keep(Self.entry(), as: Self.name(0))
    #expect(results.count == Limits.keptResults && results.entry(Self.name(1), for: PeerIdentifier(1)) == nil)
  }

  @Test @ReactorActor func theNewestResultIsKeptWhateverItsSize() {
    let results = KeptResults()
    let most = 64 * 1024 * 1024
    results.keep(Self.entry(1), as: Self.name(1))
    results.keep(Self.entry(most - 1), as: Self.name(2))
    #expect(results.count == 2)
    results.keep(Self.entry(1), as: Self.name(3))
    #expect(results.count == 2 && results.entry(Self.name(1), for: PeerIdentifier(1)) == nil)
    results.keep(Self.entry(most + 1), as: Self.name(4))
    #expect(results.count == 1 && results.entry(Self.name(4), for: PeerIdentifier(1)) != nil)
  }

  @Test @ReactorActor func aResultExpires() async {
    let results = KeptResults()
    results.keep(Self.entry(expires: 0), as: Self.name(1))
    #expect(results.count == 0)
    results.keep(Self.entry(expires: 0.001), as: Self.name(1))
    results.keep(Self.entry(expires: 1000), as: Self.name(2))
    await DaemonScene.until { results.count == 1 }
    #expect(results.entry(Self.name(2), for: PeerIdentifier(1)) != nil)
  }
}
