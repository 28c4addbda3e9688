import CLinux
import Dispatch
import Glibc
import Testing
import WatchwordReactor
import WatchwordSecret
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordServer

/// A program may be started without a standard input: the first file that it opens has the number 0 then, as
/// good as any other. Each runs in a process of its own.
struct ZeroDescriptorTests {
  /// Dispatch opens descriptors for its first timer, and keeps them: not while 0 is free.
  private static let hasTimers: Void = {
    let isDue = DispatchSemaphore(value: 0)
    DispatchQueue.global().asyncAfter(deadline: .now()) { isDue.signal() }
    isDue.wait()
  }()

  /// Dispatch looks after its threads with a timer now and then, and may open its descriptor while 0 is free.
  private static var isOfDispatch: Bool {
    var path = [CChar](repeating: 0, count: 64)
    let count = readlink("/proc/self/fd/0", &path, 64)
    return path.prefix(max(0, count)).elementsEqual("anon_inode:[timerfd]".utf8.map(CChar.init))
  }

  /// Runs `body` while 0 is free, and says what it gives. It was in use before and is again afterwards.
  private static func withoutInput<Value>(_ body: () throws -> Value) throws -> Value {
    hasTimers
    // It cannot be taken away from Dispatch.
    if isOfDispatch { return try body() }
    close(STDIN_FILENO)
    let value = try body()
    // Nothing holds it any more, but for another thread of the system's libraries in the middle of something.
    var next = open("/dev/null", O_RDONLY)
    for _ in 0..<10_000 where next != STDIN_FILENO && !isOfDispatch {
      close(next)
      sched_yield()
      next = open("/dev/null", O_RDONLY)
    }
    #expect(next == STDIN_FILENO || isOfDispatch)
    return value
  }

  private static func directory(_ folder: TemporaryFolder, isLocked: Bool = true) throws -> StateDirectory? {
    let place = try #require(StatePlace.resolve(folder.path) { _ in nil })
    return try StateDirectory.open(place, isMade: false, isLocked: isLocked)
  }

  @Test func filesOfTheAdministratorAreRead() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let path = try folder.write(#"{"agent":{"idleLockSeconds":5}}"#, to: "c.json")
      let file = try Self.withoutInput { try ConfigurationFile(.given(path)) }
      #expect(file.idleLockSeconds == 5)
      let secret = try folder.write("pw\n", to: "secret")
      let line = try Self.withoutInput { try SourceFile.line(secret) }
      #expect(line == Secret("pw".utf8))
      try Self.withoutInput { try SourceFile.replace(secret, with: Secret("new".utf8)) }
      #expect(folder.read("secret") == "new\n")
    }
  }

  @Test func theStateIsReadAndWritten() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      try Self.withoutInput {
        let directory = try #require(try Self.directory(folder))
        let names = try directory.names()
        #expect(names == ["lock"])
        let file = StateFile(name: "f", directory: directory)
        try file.write([1, 2])
      }
      let directory = try #require(try Self.directory(folder))
      try Self.withoutInput {
        let names = try directory.names()
        #expect(Set(names) == ["lock", "f"])
        let file = StateFile(name: "f", directory: directory)
        guard case .success(let bytes)? = try file.read(maximumBytes: 9) else {
          Issue.record("not read")
          return
        }
        #expect(bytes == [1, 2])
        try file.write([3])
        try file.remove()
      }
      let again = try Self.withoutInput { try Self.directory(folder, isLocked: false)?.path }
      #expect(again == folder.path)
    }
  }

  /// The lock of a directory whose own descriptor is another one: it ends with the directory.
  @Test func aLockOfTheStateEnds() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      var directory = try Self.directory(folder)
      #expect(throws: StorageFault.self) { try Self.directory(folder) }
      directory = nil
      directory = try Self.directory(folder)
      #expect(directory != nil)
    }
  }

  @Test func theProcessKnowsItselfAndOthers() async {
    await #expect(processExitsWith: .success) {
      var ends: [Int32] = [-1, -1]
      try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
      let (process, path) = try Self.withoutInput {
        #expect(ProcessMemory.residentBytes() > 0)
        let process = try #require(PeerProcess(of: ends[0]))
        return (process, process.executable)
      }
      #expect(path != nil)
      let other = try #require(PeerProcess(of: ends[1]))
      #expect(
        process.identifier(behind: PeerIdentifier(1)) == other.identifier(behind: PeerIdentifier(2)))
    }
  }

  @Test func bodiesGoThroughIt() async {
    await #expect(processExitsWith: .success) {
      LoopThread.started
      try await Self.writeAndRead()
    }
  }

  @ReactorActor private static func writeAndRead() async throws {
    let budget = MemoryBudget(limit: 1 << 20)
    try withoutInput {
      let file = try MemoryFile(MemoryCharge(budget, uid: 1))
      #expect(file.number == 0)
      #expect([1, 2].withUnsafeBytes { file.append($0) } == nil)
    }
    // A pipe that is opened again.
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    hasTimers
    close(STDIN_FILENO)
    let descriptor = try CallerDescriptor(ends[1], of: 1, for: .writing)
    #expect(descriptor.readyNumber == STDIN_FILENO)
    #expect([UInt8(7)].withUnsafeBytes { descriptor.writeWithoutWaiting($0) } == 1)
    var byte: UInt8 = 0
    #expect(read(ends[0], &byte, 1) == 1 && byte == 7)
  }

  @Test func aSocketIsServedAtIt() async {
    await #expect(processExitsWith: .success) {
      LoopThread.started
      try await Self.listen()
    }
  }

  @ReactorActor private static func listen() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "s")
    // Its lock has the number.
    hasTimers
    close(STDIN_FILENO)
    let first = try Listener(path: path)
    #expect(fcntl(STDIN_FILENO, F_GETFD) >= 0)
    let given = first.giveAway()
    #expect(given.descriptors.count == 2)
    let second = Listener(given)
    var accepted: [Int32] = []
    try second.begin({ accepted.append($0) }, deferred: {})
    let waiting = clinux_unix_connect(path)
    second.acceptWaiting()
    #expect(accepted.count == 1)
    second.remove()
    // Both are closed.
    #expect(fcntl(STDIN_FILENO, F_GETFD) == -1 && folder.names == [])
    // A socket of another daemon is seen.
    let other = clinux_unix_listen(path, 1)
    #expect(other == STDIN_FILENO)
    let kept = fcntl(other, F_DUPFD_CLOEXEC, 50)
    close(other)
    do throws(ListenerFault) {
      try Listener(path: path).remove()
      Issue.record("it listens")
    } catch {
      #expect(error.text == "\(path): another daemon listens there")
    }
    for number in accepted + [waiting, kept] { close(number) }
  }

  @Test func aRestrictedConnectionMayHaveIt() async {
    await #expect(processExitsWith: .success) {
      LoopThread.started
      try await Self.acceptRestricted()
    }
  }

  @ReactorActor private static func acceptRestricted() async throws {
    let folder = try TemporaryFolder()
    let socket = clinux_unix_listen(folder.path(of: "s"), 8)
    try await DaemonScene.call { caller, scene in
      await caller.check(
        "peer/listen", #"{"descriptor":0,"rules":[{"origin":"http://a.example"}]}"#, descriptors: [socket],
        is: #"{"session":"default","restriction":"r1"}"#)
      let waiting = clinux_unix_connect(folder.path(of: "s"))
      #expect(waiting > 0)
      // It is accepted in a later turn.
      hasTimers
      close(STDIN_FILENO)
      await DaemonScene.until { scene.daemon.peers.count == 2 }
      #expect(fcntl(STDIN_FILENO, F_GETFD) >= 0)
      close(waiting)
      await DaemonScene.until { scene.daemon.peers.count == 1 }
    }
  }
}
