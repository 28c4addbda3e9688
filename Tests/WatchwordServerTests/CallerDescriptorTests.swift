import CLinux
import Glibc
import Testing
import WatchwordReactor
import WatchwordTestSupport

@testable import WatchwordServer

/// Descriptors of callers are checked for their use (messages.md 5.5, security.md).
struct CallerDescriptorTests {
  init() { LoopThread.started }

  private static func kind(_ number: Int32, _ use: CallerDescriptor.Use) -> String {
    do throws(CallerDescriptor.DescriptorFault) {
      let taken = try CallerDescriptor(number, of: 1, for: use)
      return
        "\(taken.isRegular ? "file" : taken.isPipe ? "pipe" : "socket")"
        + (taken.isReadable ? " readable" : "") + (taken.isMemory ? " memory" : "")
    } catch {
      return "\(error)"
    }
  }

  @Test func aFileIsOpenForItsUse() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("abc", to: "f")
    #expect(Self.kind(open(path, O_RDONLY), .reading) == "file")
    #expect(Self.kind(open(path, O_RDONLY), .writing) == "wrongAccessMode")
    #expect(Self.kind(open(path, O_WRONLY), .writing) == "file")
    #expect(Self.kind(open(path, O_WRONLY), .reading) == "wrongAccessMode")
    #expect(Self.kind(open(path, O_RDWR), .writing) == "file readable")
    #expect(Self.kind(open(path, O_RDWR), .reading) == "file readable")
    #expect(Self.kind(open(path, O_RDONLY | CLINUX_O_PATH), .reading) == "unsupportedKind")
    #expect(Self.kind(open(folder.path, O_RDONLY), .reading) == "unsupportedKind")
    #expect(Self.kind(open("/dev/null", O_RDWR), .writing) == "unsupportedKind")
    #expect(Self.kind(-1, .reading) == "closed")
  }

  @Test func aPipeHasAnEndForItsUse() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    #expect(Self.kind(dup(ends[0]), .reading) == "pipe")
    #expect(Self.kind(dup(ends[0]), .writing) == "wrongAccessMode")
    #expect(Self.kind(dup(ends[1]), .writing) == "pipe")
    close(ends[0])
    close(ends[1])
  }

  @Test func onlyAFileHasASize() throws {
    let folder = try TemporaryFolder()
    let number = open(try folder.write("abc", to: "f"), O_RDWR)
    lseek(number, 2, SEEK_SET)
    let file = try CallerDescriptor(number, of: 1, for: .reading)
    #expect(file.sizeAndOffset?.size == 3 && file.sizeAndOffset?.offset == 2)
    #expect(file.restart() == nil && file.sizeAndOffset?.size == 0 && file.sizeAndOffset?.offset == 0)
    #expect(Array("xyz".utf8).withUnsafeBytes { file.writeAll($0) } == nil && folder.read("f") == "xyz")
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { close(ends[1]) }
    #expect(try CallerDescriptor(ends[0], of: 1, for: .reading).sizeAndOffset == nil)
  }

  @Test func whatCannotBeWrittenSaysWhy() throws {
    #expect(Array("x".utf8).withUnsafeBytes { CallerDescriptor.writeAll($0, to: -1) } == EBADF)
    #expect([UInt8]().withUnsafeBytes { CallerDescriptor.writeAll($0, to: -1) } == nil)
  }

  /// Without an effect on the caller's own use of it.
  @Test(arguments: [false, true])
  func aPipeOrSocketTakesWhatItCan(isSocket: Bool) throws {
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [-1, -1]
    if isSocket {
      try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    } else {
      try #require(pipe(&ends) == 0)
    }
    var reading: CallerDescriptor? = try CallerDescriptor(ends[0], of: 1, for: .reading)
    let writing = try CallerDescriptor(ends[1], of: 1, for: .writing)
    var room = [UInt8](repeating: 0, count: 5)
    func read() -> Int? { room.withUnsafeMutableBytes { reading?.readWithoutWaiting(into: $0) } }
    func write(_ count: Int) -> Int {
      [UInt8](repeating: 1, count: count).withUnsafeBytes(writing.writeWithoutWaiting)
    }
    #expect(read() == nil)
    #expect(write(7) == 7)
    #expect(read() == 5 && read() == 2 && read() == nil)
    var count = 0
    while case let more = write(10_000), more > 0 { count += more }
    #expect(count > 10_000 && write(1) == 0)
    #expect(fcntl(ends[0], F_GETFL) & O_NONBLOCK == 0 && fcntl(ends[1], F_GETFL) & O_NONBLOCK == 0)
    reading = nil
    for _ in 0..<10_000 where write(1) == 0 { usleep(100) }
    #expect(write(1) == -Int(EPIPE))
  }

  @Test func theEndOfAPipeIsSeen() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let reading = try CallerDescriptor(ends[0], of: 1, for: .reading)
    close(ends[1])
    var room: [UInt8] = [0]
    let count = room.withUnsafeMutableBytes { reading.readWithoutWaiting(into: $0) }
    #expect(count == 0)
  }
}
