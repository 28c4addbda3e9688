internal import WatchwordReactor

/// The work of one source that blocks: files, which may lie on a file system that hangs, and programs.
///
/// A part of the threads that all sources share, so that one source that hangs delays no other.
@ReactorActor
final class SourceLane {
  /// Of all sources together.
  private static let pool = BlockingPool(threads: 64)

  /// Pieces of work that may run at the same time.
  private let width: Int
  private var running = 0
  /// In the order in which it was submitted.
  private var waiting: [@ReactorActor () -> Void] = []

  init(width: Int) {
    self.width = width
  }

  /// Runs `work` on a thread, when those before it have begun, and passes the result to `then` on the loop.
  func submit<Result: Sendable>(
    _ work: @escaping @Sendable () -> Result, then: @escaping @ReactorActor (Result) -> Void
  ) {
    guard running < width else {
      return waiting.append { [self] in start(work, then: then) }
    }
    start(work, then: then)
  }

  private func start<Result: Sendable>(
    _ work: @escaping @Sendable () -> Result, then: @escaping @ReactorActor (Result) -> Void
  ) {
    running += 1
    Self.pool.submit(work) { [self] result in
      running -= 1
      if !waiting.isEmpty { waiting.removeFirst()() }
      then(result)
    }
  }
}
