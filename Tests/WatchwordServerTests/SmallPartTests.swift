import CLinux
import Glibc
import Testing
import WatchwordCore
import WatchwordJSON
import WatchwordMessages
import WatchwordProtocol
import WatchwordReactor
import WatchwordTestSupport
import WatchwordTransport
import WatchwordVocabulary

@testable import WatchwordServer

/// Parts of sessions, outputs and files that work alone.
@Suite(.serialized) struct SmallPartTests {
  init() { LoopThread.started }

  /// An engine of earlier settings ends with the last task that it has.
  @Test @ReactorActor func anEarlierEngineEndsWithItsLastTask() {
    let (first, second, third) = (FakeEngine(), FakeEngine(), FakeEngine())
    var engines = SessionEngines(first)
    engines.replace(with: second, runningOnCurrent: 2)
    #expect(engines.count == 2 && !first.isShutDown && engines.earlierCookies.count == 1)
    engines.replace(with: third, runningOnCurrent: 0)
    #expect(engines.count == 2 && second.isShutDown)
    var ends = [engines.release(nil), engines.release(third), engines.release(first)]
    #expect(ends == [false, false, false] && !first.isShutDown)
    ends = [engines.release(first), engines.release(first)]
    #expect(ends == [true, false] && first.isShutDown && engines.count == 1)
    #expect(engines.earlierCookies.isEmpty)
  }

  /// Engines that share their cookies have them once.
  @Test @ReactorActor func cookiesOfEarlierEnginesAreNamedOnce() {
    let shared = SessionCookies(policy: .accept)
    var engines = SessionEngines(FakeEngine(cookies: shared))
    for _ in 0..<2 { engines.replace(with: FakeEngine(cookies: shared), runningOnCurrent: 1) }
    #expect(engines.earlierCookies.isEmpty)
    engines.replace(with: FakeEngine(), runningOnCurrent: 1)
    #expect(engines.count == 4 && engines.earlierCookies.count == 1)
    #expect(engines.earlierCookies.first === shared)
  }

  /// What takes no memory has room in a full budget.
  @Test @ReactorActor func nothingHasAlwaysRoom() {
    let scene = SessionScene()
    let charge = MemoryCharge(scene.budget, uid: 1)
    charge.growAnyway(by: Limits.bytesPerUID + 1)
    #expect(scene.session.hasRoom(for: 0) && scene.session.hasRoom(for: -1))
    #expect(!scene.session.hasRoom(for: 1))
    charge.giveBack()
    #expect(scene.session.hasRoom(for: 1))
  }

  /// A source that works on one thing at a time begins the next one after it.
  @Test @ReactorActor func aLaneIsAsWideAsItSays() async throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let reading = ends[0]
    let lane = SourceLane(width: 1)
    let begun = Locked(0)
    var ended = 0
    for _ in 0..<2 {
      lane.submit {
        begun.withLock { $0 += 1 }
        var byte: UInt8 = 0
        _ = read(reading, &byte, 1)
      } then: {
        ended += 1
      }
    }
    await DaemonScene.until { begun.withLock { $0 } > 0 }
    await DaemonScene.turn(after: 0.05)
    #expect(begun.withLock { $0 } == 1 && ended == 0)
    #expect(write(ends[1], "ab", 2) == 2)
    await DaemonScene.until { ended == 2 }
    #expect(begun.withLock { $0 } == 2)
    for end in ends { close(end) }
  }

  /// It gives its memory back without being asked for anything.
  @Test @ReactorActor func aResultThatHasExpiredTakesNoMemory() async {
    let budget = MemoryBudget(limit: 100)
    let results = KeptResults()
    for (number, seconds) in [(1, 0.01), (2, 0.02)] {
      let charge = MemoryCharge(budget, uid: 1)
      charge.growAnyway(by: 10)
      results.keep(
        KeptResults.EndedTask(
          viewer: nil,
          description: Sent.TaskSummary(
            task: "t", session: "s", url: "u", method: "GET", state: "finished", detached: true,
            bytesReceived: 0),
          member: "result", text: [1], charge: charge, expires: EventLoop.shared.now + seconds),
        as: TaskName(uid: 1, text: "t\(number)"))
    }
    #expect(budget.total == 20)
    await DaemonScene.until { budget.total == 0 }
  }

  /// Only a body that has waited is waited for.
  @Test @ReactorActor func anOutputSaysOnceThatItHasRoom() async throws {
    let folder = try TemporaryFolder()
    let number = open(folder.path(of: "f"), O_RDWR | O_CREAT, 0o600)
    let output = DescriptorOutput(
      try CallerDescriptor(number, of: 1, for: .writing),
      charge: MemoryCharge(MemoryBudget(limit: 1 << 22), uid: 1))
    var drains = 0
    output.onDrained = { drains += 1 }
    let write = { @ReactorActor (count: Int) -> OutputAnswer in
      [UInt8](repeating: 1, count: count).withUnsafeBytes { output.write($0, mayWait: true) }
    }
    func size() -> Int {
      var information = stat()
      return stat(folder.path(of: "f"), &information) == 0 ? Int(information.st_size) : -1
    }
    _ = write(10)
    // The file may have its bytes before the loop hears of it.
    await DaemonScene.until { size() == 10 && !output.isWriting }
    for _ in 0..<3 { await DaemonScene.turn() }
    #expect(drains == 0)
    _ = write(1000)
    _ = write(1 << 20)
    guard case .full = write(1) else {
      Issue.record("not full")
      return
    }
    await DaemonScene.until { drains == 1 }
    await DaemonScene.until { size() == 1010 + (1 << 20) }
    _ = write(5)
    await DaemonScene.until { size() == 1015 + (1 << 20) }
    for _ in 0..<3 { await DaemonScene.turn() }
    #expect(drains == 1)
    output.abandon()
  }

  /// A stream waits once for its reader, however often it is offered bytes.
  @Test @ReactorActor func aStreamSaysOnceThatItHasRoom() async throws {
    try await DaemonScene.call { caller, _ in
      let output = StreamOutput(to: caller.peer, task: "t", session: "s")
      var drains = 0
      output.onDrained = { drains += 1 }
      let bytes = [UInt8](repeating: 120, count: 300_000)
      var count = 0
      let write = { @ReactorActor () -> Bool in
        guard case .taken = bytes.withUnsafeBytes({ output.write($0, mayWait: true) }) else { return false }
        count += 1
        return true
      }
      // The second time as the first time.
      for number in 1...2 {
        count = 0
        while count < 100, write() {}
        #expect(count < 100 && !write() && !write())
        for _ in 0..<count { _ = await caller.notification("task/didReceiveData") }
        await DaemonScene.until { drains == number }
        for _ in 0..<3 { await DaemonScene.turn() }
        #expect(drains == number)
      }
      #expect(write())
    }
  }

  @ReactorActor private static func collect(_ number: Int32, _ maximum: Int) async throws -> String {
    let input = CollectingInput(
      try CallerDescriptor(number, of: 1, for: .reading), maximumBytes: maximum,
      charge: MemoryCharge(MemoryBudget(limit: 1 << 20), uid: 1))
    return await withCheckedContinuation { continuation in
      input.collect(withinSeconds: 60) { result in
        switch result {
        case .success(let bytes): continuation.resume(returning: "\(bytes.count)")
        case .failure(let fault): continuation.resume(returning: "\(fault)")
        }
      }
    }
  }

  /// What is as large as allowed is read, from a pipe and from a file.
  @Test(arguments: [(10, "10"), (9, "tooLarge"), (11, "10")])
  @ReactorActor func soMuchIsCollected(_ maximum: Int, _ expected: String) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("0123456789", to: "f")
    #expect(try await Self.collect(open(path, O_RDONLY), maximum) == expected)
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    #expect(write(ends[1], "0123456789", 10) == 10)
    close(ends[1])
    #expect(try await Self.collect(ends[0], maximum) == expected)
  }

  /// A file of roots is read without a lock, and written only when something changes.
  @Test func rootsAreWrittenWhenTheyChange() throws {
    let folder = try TemporaryFolder()
    let place = try #require(StatePlace.resolve(folder.path) { _ in nil })
    let file = UserRootsFile(place: place, uid: 5)
    #expect(try file.read() == UserRoots() && folder.names == [])
    _ = try file.apply(.add(TestCertificates.authority))
    #expect(folder.names == ["lock", "roots-5.pem"])
    let node = { () -> ino_t in
      var information = stat()
      return stat(folder.path(of: "roots-5.pem"), &information) == 0 ? information.st_ino : 0
    }
    // The file that there was is held, so that another one has another number.
    let held = open(folder.path(of: "roots-5.pem"), O_RDONLY)
    defer { close(held) }
    let before = node()
    #expect(try file.apply(.add(TestCertificates.authority)).count == 0 && node() == before)
    #expect(try file.apply(.remove("00")).count == 0 && node() == before)
    unlink(folder.path(of: "lock"))
    #expect(try file.read().all.count == 1 && folder.names == ["roots-5.pem"])
    #expect(try file.apply(.remove(nil)).count == 1 && !folder.names.contains("roots-5.pem"))
  }

  @Test @ReactorActor func aSourceOfTokensPresentsNoIdentity() {
    let scene = SessionScene()
    let client = OAuthClient(
      grant: .clientCredentials,
      tokenEndpoint: RequestURL(origin: SessionScene.url().origin, path: "/t", query: nil), identifier: "c")
    let account = TokenAccount(
      OAuthSource(client: client, secretFile: nil, refreshTokenFile: nil, roots: nil),
      in: SourceLane(width: 1), scene)
    #expect(!account.mayStillPresent("i-1") && account.refreshTokenFile == nil)
  }

  @Test func variablesWithoutAValueNameNoProxy() async {
    await #expect(processExitsWith: .success) {
      for name in ["http_proxy", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "no_proxy", "all_proxy"] {
        setenv(name, "", 1)
      }
      unsetenv("https_proxy")
      #expect(ProxyEnvironment.ofProcess.rules == nil && ProxyEnvironment.ofProcess.malformed.isEmpty)
      setenv("https_proxy", "p.example:8080", 1)
      #expect(ProxyEnvironment.ofProcess.rules?.https?.name == "https_proxy")
    }
  }

  /// There is room for one task less than there may be, also when none of the others waits.
  @Test(arguments: [
    (39_999, 0, false, nil), (39_999, 19_999, false, nil), (20_000, 20_000, false, "waitingTasks"),
    (40_000, 0, false, "tasks"), (40_000, 20_000, true, "tasks"), (20_000, 20_000, true, "waitingTasks"),
    (1, 1, true, "tasksPerRestriction"), (0, 0, false, nil),
  ])
  func tasksHaveLimits(_ count: Int, _ waiting: Int, _ isRestrictionFull: Bool, _ expected: String?) {
    let limit = Limits.limitOfTasks(count, waiting: waiting, isRestrictionFull: isRestrictionFull)
    #expect(limit == expected)
  }

  /// Few tasks cannot be too many that wait.
  @Test func whoWaitsIsCountedOnlyWhenThereAreMany() {
    var counts = 0
    func count() -> Int {
      counts += 1
      return 0
    }
    #expect(Limits.limitOfTasks(19_999, waiting: count(), isRestrictionFull: false) == nil && counts == 0)
    #expect(Limits.limitOfTasks(20_000, waiting: count(), isRestrictionFull: false) == nil && counts == 1)
  }

  /// The rules count at once where nobody has a session.
  @Test @ReactorActor func rulesWithoutSessionsCountAtOnce() {
    var isFollowed = false
    EventLoop.shared.begin {
      await SessionRegistry().policyChanged()
      isFollowed = true
    }
    #expect(isFollowed)
  }
}
