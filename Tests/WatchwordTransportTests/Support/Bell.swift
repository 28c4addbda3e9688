import Glibc
import WatchwordReactor

/// What a server's thread waits for and a test lets happen, as often as it was rung.
final class Bell: Sendable {
  private let reader: Int32
  private let writer: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    pipe(&ends)
    (reader, writer) = (ends[0], ends[1])
  }

  deinit {
    close(reader)
    close(writer)
  }

  func ring() { _ = write(writer, "!", 1) }

  /// Blocks its thread, which must not be the loop's.
  func wait() {
    var byte: UInt8 = 0
    while read(reader, &byte, 1) < 0 && errno == EINTR {}
  }

  /// Blocks its thread until the loop has looked at every descriptor: what was sent before has been read.
  static func waitForTheLoop() {
    let bell = Bell()
    Task { @ReactorActor in
      _ = EventLoop.shared.schedule(after: 0) {
        _ = EventLoop.shared.schedule(after: 0) { bell.ring() }
      }
    }
    bell.wait()
  }
}
