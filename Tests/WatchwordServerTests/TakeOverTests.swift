import CLinux
import Glibc
import Testing
import WatchwordCore
import WatchwordJSON
import WatchwordReactor
import WatchwordTestSupport
import WatchwordVault
import WatchwordVocabulary

@testable import WatchwordServer

/// What a daemon makes of what the previous one has given (messages.md 11.12).
@Suite(.serialized) struct TakeOverTests {
  init() { LoopThread.started }

  /// What is read of these parts; it is whole with the part `end`.
  private static func inheritance(_ parts: (inout StateSending) -> Void) throws -> Inheritance {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { for end in ends { close(end) } }
    var mark = Predecessor.stateMark
    try #require(clinux_send(ends[0], &mark, 1, nil, 0, true) == 1)
    var sending = StateSending { write(ends[0], $0.baseAddress, $0.count) == $0.count }
    parts(&sending)
    shutdown(ends[0], Int32(SHUT_WR))
    return try #require(StateReading(ends[1]).inheritance())
  }

  @Test @ReactorActor func whatHasNotComeIsInTheLog() async throws {
    try await DaemonScene.run { scene in
      scene.daemon.note(try Self.inheritance { $0.part("end") })
      #expect(scene.log == ["restarted sessions=0"])
      scene.daemon.note(
        try Self.inheritance {
          $0.part("later")
          $0.part("end")
        })
      #expect(
        scene.log.dropFirst() == [
          "parts of another version were not understood count=1", "restarted sessions=0",
        ])
      scene.daemon.note(try Self.inheritance { $0.part("later") })
      #expect(
        scene.log.dropFirst(3) == [
          "the previous daemon ended before it had given everything", "restarted sessions=0",
        ])
    }
  }

  /// The lock of an agent, its passphrase and its wrong attempts.
  @Test @ReactorActor func aLockedAgentStaysLocked() async throws {
    var kept: [DaemonState.KeptLock] = []
    try await DaemonScene.call { caller, scene in
      await caller.check("agent/lock", #"{"passphrase":"p"}"#, is: #"{"locked":true}"#)
      kept = scene.daemon.sessionsState.locks
      #expect(kept.map(\.isLocked) == [true])
      await caller.check("agent/unlock", #"{"passphrase":"p"}"#, is: #"{"locked":false}"#)
      kept += scene.daemon.sessionsState.locks
      #expect(kept.map(\.isLocked) == [true, false])
    }
    for lock in kept {
      try await DaemonScene.call { caller, scene in
        var state = DaemonState()
        state.locks = [lock]
        state.lastTask = 41
        scene.daemon.takeOver(state)
        let uid = caller.peer.process.uid
        #expect(scene.daemon.isLocked(uid) == lock.isLocked)
        #expect(scene.daemon.vaults.account(of: uid).isUnderLock == lock.isLocked)
        #expect(scene.daemon.nextTask().number == 42)
        // Either is locked with it again before the machine sleeps.
        await scene.daemon.lockForSleep()
        #expect(scene.daemon.isLocked(uid))
        await caller.check("agent/unlock", #"{"passphrase":"p"}"#, is: #"{"locked":false}"#)
      }
    }
  }

  @Test @ReactorActor func anAgentWithoutAPassphraseIsNotLockedAgain() {
    let locks = AgentLocks()
    #expect(!locks.lockAgain(5) && !locks.isLocked(5) && locks.kept.isEmpty)
    #expect(locks.noteUse(of: 5))
    #expect(!locks.lockAgain(5) && !locks.isAnyLocked)
  }

  /// The next daemon ends while it is given the state, or does not say that it has it.
  @Test(arguments: [true, false])
  @ReactorActor func whoDoesNotTakeEverythingHasNotTakenIt(hasEnded: Bool) async throws {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    let successor = Successor(pid_t(Int32.max), ends[0])
    #expect(!successor.hasEnded)
    let clocks = DaemonState.Clocks(now: 0, wallClock: 0)
    if hasEnded {
      close(ends[1])
      #expect(successor.hasEnded)
      let pipe = Listener.Given(path: "/a", isActivated: true, isHostWide: false, descriptors: [STDIN_FILENO])
      #expect(successor.handOver([pipe], DaemonState(), clocks) == nil)
      #expect(successor.handOver([], DaemonState(), clocks) == nil)
    } else {
      // One that says nothing is believed while it runs.
      shutdown(ends[1], Int32(SHUT_WR))
      let skipped = successor.handOver([], DaemonState(), clocks)
      #expect(skipped == 0)
      close(ends[1])
    }
  }

  private static let reading = BlockingPool(threads: 1)

  /// Reads like a next daemon until it has everything, says this, and ends.
  @ReactorActor private static func follow(_ connection: Int32, saying text: String) -> Locked<Bool> {
    let hasRead = Locked(false)
    reading.submit {
      var all: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 4096)
      let end = Array(#""kind":"end""#.utf8)
      while !all.suffix(200).contains(end), case let count = read(connection, &buffer, buffer.count),
        count > 0
      {
        all += buffer[..<count]
      }
      _ = write(connection, text, text.utf8.count)
      close(connection)
    } then: {
      hasRead.withLock { $0 = true }
    }
    return hasRead
  }

  /// One that ends without a word has not taken everything; one that says so has, whatever it says before.
  @Test(arguments: [("", nil), ("x", nil), ("T", 0), ("xT", 0)] as [(String, Int?)])
  @ReactorActor func theLastWordOfTheNextDaemonCounts(_ said: String, _ expected: Int?) async throws {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    let successor = Successor(pid_t(Int32.max), ends[0])
    let hasRead = Self.follow(ends[1], saying: said)
    let skipped = successor.handOver([], DaemonState(), DaemonState.Clocks(now: 0, wallClock: 0))
    #expect(skipped == expected)
    await DaemonScene.until { hasRead.withLock { $0 } }
  }

  /// More than the sockets hold, and a socket: the next daemon reads while this one writes.
  @Test @ReactorActor func aLargeStateIsTaken() async throws {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    let connection = ends[1]
    let successor = Successor(pid_t(Int32.max), ends[0])
    let found = Locked<Inheritance?>(nil)
    Self.reading.submit {
      defer { shutdown(connection, Int32(SHUT_RDWR)) }
      return StateReading(connection).inheritance()
    } then: { inheritance in
      found.withLock { $0 = inheritance }
    }
    var state = DaemonState()
    state.settingsKey = Secret(count: 4 << 20) { $0.initializeMemory(as: UInt8.self, repeating: 7) }
    let pipe = Listener.Given(path: "/a", isActivated: true, isHostWide: false, descriptors: [STDIN_FILENO])
    let skipped = successor.handOver([pipe], state, DaemonState.Clocks(now: 0, wallClock: 0))
    #expect(skipped == 0)
    // This side has ended then.
    shutdown(ends[0], Int32(SHUT_WR))
    await DaemonScene.until { found.withLock { $0 != nil } }
    let inheritance = try #require(found.withLock { $0 })
    #expect(inheritance.isWhole && inheritance.takeState().settingsKey?.count == 4 << 20)
    let listener = try #require(inheritance.takeListener(at: "/a"))
    for number in listener.descriptors { close(number) }
    close(connection)
  }
}
