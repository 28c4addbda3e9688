import Glibc
import Testing
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordServer

/// Calls that a signal interrupts, that transfer a part, and that fail.
struct SystemCallTests {
  /// What the system answers, one call after the other.
  private final class Answers {
    private var rest: [(Int, Int32)]
    init(_ answers: [(Int, Int32)]) { rest = answers }

    var isEmpty: Bool { rest.isEmpty }

    func next() -> Int {
      guard !rest.isEmpty else { return 0 }
      let (count, reason) = rest.removeFirst()
      errno = reason
      return count
    }
  }

  @Test func aSignalIsNoFault() {
    let answers = Answers([(-1, EINTR), (-1, EINTR), (7, EINTR)])
    #expect(SystemCall.uninterrupted(answers.next) == 7)
    #expect(SystemCall.uninterrupted(Answers([(0, EINTR), (3, 0)]).next) == 0)
    #expect(SystemCall.uninterrupted(Answers([(-1, EIO), (3, 0)]).next) == -1 && errno == EIO)
  }

  /// Each time the rest of the room is to be filled.
  @Test func aSourceGivesItsBytesInParts() {
    func filled(_ parts: [(Int, Int32)]) -> (count: Int?, calls: [[Int]], isAllAsked: Bool) {
      var room = [UInt8](repeating: 0, count: 10)
      let answers = Answers(parts)
      var calls: [[Int]] = []
      let count = room.withUnsafeMutableBytes { buffer in
        SystemCall.fill(buffer) { rest, before in
          calls.append([before, rest.count])
          return answers.next()
        }
      }
      return (count, calls, answers.isEmpty)
    }
    let whole = filled([(4, 0), (-1, EINTR), (6, 0)])
    #expect(whole.count == 10 && whole.calls == [[0, 10], [4, 6], [4, 6]])
    let short = filled([(3, 0), (0, 0), (7, 0)])
    #expect(short.count == 3 && !short.isAllAsked)
    #expect(filled([(3, 0), (-1, EIO), (7, 0)]).count == nil && errno == EIO)
    #expect(SystemCall.fill(UnsafeMutableRawBufferPointer(start: nil, count: 0)) { _, _ in -1 } == 0)
  }

  @Test func aPlaceTakesBytesInParts() {
    func drained(_ parts: [(Int, Int32)]) -> (isWhole: Bool, calls: [[UInt8]]) {
      let answers = Answers(parts)
      var calls: [[UInt8]] = []
      let isWhole = [UInt8](1...5).withUnsafeBytes { bytes in
        SystemCall.drain(bytes) { rest in
          calls.append(Array(rest))
          return answers.next()
        }
      }
      return (isWhole, calls)
    }
    let whole = drained([(2, 0), (-1, EINTR), (2, 0), (1, 0)])
    #expect(whole.isWhole && whole.calls == [[1, 2, 3, 4, 5], [3, 4, 5], [3, 4, 5], [5]])
    #expect(!drained([(2, 0), (-1, ENOSPC), (3, 0)]).isWhole && errno == ENOSPC)
    #expect(!drained([(2, 0), (0, 0), (3, 0)]).isWhole && errno == EIO)
  }

  @Test func aFileIsWrittenAndRead() throws {
    let folder = try TemporaryFolder()
    let text = [UInt8](repeating: 7, count: 3_000_000)
    let file = open(folder.path(of: "f"), O_RDWR | O_CREAT, 0o600)
    defer { close(file) }
    #expect(text.withUnsafeBytes { SystemCall.write($0, to: file) })
    lseek(file, 0, SEEK_SET)
    var room = [UInt8](repeating: 0, count: text.count)
    func read(_ descriptor: Int32) -> Int? {
      room.withUnsafeMutableBytes { SystemCall.read(descriptor, into: $0) }
    }
    #expect(read(file) == text.count && room == text && read(file) == 0)
    #expect(read(-1) == nil && errno == EBADF)
    #expect(!text.withUnsafeBytes { SystemCall.write($0, to: -1) } && errno == EBADF)
  }

  /// A byte more than is allowed shows that there is more.
  @Test(arguments: [(0, 0), (3, 3), (4, 4), (5, 5), (9, 5)])
  func aSecretHasWhatItsSourceHas(_ size: Int, _ count: Int) {
    let source = [UInt8](repeating: 65, count: size)
    let secret = SystemCall.secret(atMost: 4) { rest, offset in
      let part = source.dropFirst(offset).prefix(min(2, rest.count))
      rest.copyBytes(from: part)
      return part.count
    }
    #expect(secret == Secret(Array(source.prefix(count))))
    #expect(SystemCall.secret(atMost: 4) { _, _ in -1 } == nil)
  }
}
