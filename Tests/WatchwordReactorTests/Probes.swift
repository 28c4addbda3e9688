import Glibc
import Testing
import WatchwordReactor

@ReactorActor final class Recorded<Value> {
  var values: [Value] = []

  nonisolated init() {}
}

/// Returns after the loop has looked at its descriptors once more.
@ReactorActor func nextTurn() async {
  await withCheckedContinuation { continuation in
    _ = EventLoop.shared.schedule(after: 0) { continuation.resume() }
  }
}

/// Both ends of a pipe, closed with it.
@ReactorActor final class Pipe {
  let reader: Int32
  private(set) var writer: Int32

  init() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    reader = ends[0]
    writer = ends[1]
  }

  deinit {
    close(reader)
    if writer >= 0 { close(writer) }
  }

  func write(_ text: String) { _ = Glibc.write(writer, text, text.utf8.count) }

  func closeWriter() {
    close(writer)
    writer = -1
  }
}
