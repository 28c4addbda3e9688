import CLinux
import Glibc
import Testing
import WatchwordJSON
import WatchwordReactor
import WatchwordTestSupport
import WatchwordVault
import WatchwordVocabulary

@testable import WatchwordServer

/// What one daemon gives to the next over their pair of sockets (messages.md 11.12).
struct SuccessionTests {
  init() { LoopThread.started }

  private static let clocks = DaemonState.Clocks(now: 1000, wallClock: 1_700_000_000)

  /// What is read when this was sent and the other daemon has ended; then what it was told.
  private static func reading(_ send: (Int32) throws -> Void) throws -> (Inheritance?, [UInt8]) {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { for end in ends { close(end) } }
    try send(ends[0])
    shutdown(ends[0], Int32(SHUT_WR))
    let inheritance = StateReading(ends[1]).inheritance()
    var told = [UInt8](repeating: 0, count: 10)
    let count = recv(ends[0], &told, told.count, Int32(MSG_DONTWAIT))
    return (inheritance, Array(told.prefix(max(0, count))))
  }

  private static func mark(_ mark: UInt8, _ descriptors: [Int32] = [], to connection: Int32) {
    var mark = mark
    #expect(clinux_send(connection, &mark, 1, descriptors, Int32(descriptors.count), true) == 1)
  }

  private static func parts(to connection: Int32, _ parts: (inout StateSending) -> Void) {
    var sending = StateSending { bytes in write(connection, bytes.baseAddress, bytes.count) == bytes.count }
    parts(&sending)
  }

  private static func listener(_ path: String, _ sending: inout StateSending) {
    sending.part("listener") { writer in
      writer.key("path")
      writer.string(path)
      writer.key("isActivated")
      writer.bool(true)
      writer.key("isHostWide")
      writer.bool(false)
    }
  }

  @Test func everythingIsGivenAndTaken() throws {
    let folder = try TemporaryFolder()
    let file = open(try folder.write("", to: "f"), O_RDONLY)
    defer { close(file) }
    let (inheritance, told) = try Self.reading { connection in
      Self.mark(Predecessor.socketMark, [file, file], to: connection)
      Self.mark(Predecessor.socketMark, [file], to: connection)
      Self.mark(Predecessor.stateMark, to: connection)
      Self.parts(to: connection) { sending in
        Self.listener("/a", &sending)
        Self.listener("/b", &sending)
        var state = DaemonState()
        state.settingsKey = Secret("key".utf8)
        state.lastTask = 7
        state.send(Self.clocks, by: &sending)
        sending.part("end")
      }
    }
    let found = try #require(inheritance)
    #expect(found.isWhole && found.unread == 0 && told == [Predecessor.takenMark])
    let state = found.takeState()
    #expect(state.lastTask == 7 && state.settingsKey == Secret("key".utf8))
    #expect(found.takeState().settingsKey == nil)
    #expect(found.takeListener(at: "/c") == nil)
    let first = try #require(found.takeListener(at: "/b"))
    #expect(first.descriptors.count == 1 && first.isActivated && !first.isHostWide)
    #expect(found.takeListener(at: "/b") == nil)
    let rest = found.takeListeners()
    #expect(rest.map(\.path) == ["/a"] && rest[0].descriptors.count == 2)
    #expect(found.takeListeners().isEmpty)
    for number in first.descriptors + rest[0].descriptors {
      #expect(fcntl(number, F_GETFD) >= 0)
      close(number)
    }
  }

  @Test func whatEndsEarlyIsNotWhole() throws {
    let (inheritance, told) = try Self.reading { connection in
      Self.mark(Predecessor.stateMark, to: connection)
      Self.parts(to: connection) { sending in
        // It names a socket that has not come.
        Self.listener("/a", &sending)
        sending.part("later")
        sending.part("vaultKey")
      }
      _ = write(connection, "\0\0\0", 3)
    }
    let found = try #require(inheritance)
    #expect(!found.isWhole && found.unread == 3 && told.isEmpty && found.takeListeners().isEmpty)
  }

  @Test func aPartThatIsCutIsNone() throws {
    let (inheritance, _) = try Self.reading { connection in
      Self.mark(Predecessor.stateMark, to: connection)
      _ = write(connection, "\0\0\0\u{9}\0\0\0\0{\"kin", 13)
    }
    #expect(inheritance?.isWhole == false && inheritance?.unread == 0)
  }

  @Test(arguments: [[], [UInt8(ascii: "X")], [UInt8(ascii: "L")]] as [[UInt8]])
  func whoGivesNothingIsNotFollowed(_ marks: [UInt8]) throws {
    let (inheritance, _) = try Self.reading { connection in
      for mark in marks { Self.mark(mark, to: connection) }
    }
    #expect(inheritance == nil)
  }

  @Test func aSocketThatIsNotNamedIsClosed() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let (inheritance, _) = try Self.reading { connection in
      Self.mark(Predecessor.socketMark, [ends[1]], to: connection)
      Self.mark(Predecessor.stateMark, to: connection)
      Self.parts(to: connection) { $0.part("end") }
    }
    close(ends[1])
    #expect(inheritance?.isWhole == true)
    // No copy of the other end is left.
    var byte: UInt8 = 0
    #expect(read(ends[0], &byte, 1) == 0)
    close(ends[0])
  }

  @Test(arguments: [
    ("R", "none"), ("Fno room", #"refused("no room")"#), ("X", "notReady"), ("", "notReady"),
  ])
  func aSuccessorSaysWhetherItCanServe(_ said: String, _ expected: String) throws {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { for end in ends { close(end) } }
    _ = write(ends[0], said, said.utf8.count)
    let fault = Predecessor.fault(in: ends[1])
    #expect(fault.map { "\($0)" } ?? "none" == expected)
  }

  /// Who names itself has not started this process, whoever it is that it is connected to.
  @Test func onlyTheParentIsAPredecessor() async {
    await #expect(processExitsWith: .success) {
      for named in [getpid(), getppid()] {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let place = Int32(CLINUX_PREDECESSOR)
        // The other end of the connection is this process, too.
        let other = fcntl(ends[1], F_DUPFD, place + 1)
        try #require(other > place && dup2(ends[0], place) == place)
        setenv(Predecessor.variable, "\(named)", 1)
        #expect(Predecessor.ofProcess() == nil)
        #expect(getenv(Predecessor.variable) == nil)
      }
    }
  }
}
