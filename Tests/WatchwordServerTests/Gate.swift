import Glibc
import Testing

/// Holds a thread until it is opened: whoever makes one opens it.
final class Gate: Sendable {
  private let reading: Int32
  private let writing: Int32

  init() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    (reading, writing) = (ends[0], ends[1])
  }

  deinit {
    close(reading)
    close(writing)
  }

  /// Waits for it; once it is open, nobody waits.
  func pass() {
    var one = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
    while poll(&one, 1, -1) < 0 && errno == EINTR {}
  }

  func open() {
    #expect(write(writing, [1], 1) == 1)
  }
}
