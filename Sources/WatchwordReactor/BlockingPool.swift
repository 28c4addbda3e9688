internal import Glibc
internal import WatchwordVocabulary

/// A few threads for blocking work: SQLite, and what ``WorkLanes`` divide.
package final class BlockingPool: Sendable {
  private struct State {
    var waiting = ArrivalQueue<@Sendable () -> Void>()
    var running = 0
    var idle = 0
  }

  /// How soon a thread is asked for again: other processes end within such a time, and ten attempts a second
  /// cost nothing.
  private static let retrySeconds = 0.1

  private let threads: Int
  private let state = Locked(State())
  /// Semaphores may be used from every thread.
  private nonisolated(unsafe) let available: UnsafeMutablePointer<sem_t>

  package init(threads: Int) {
    self.threads = max(1, threads)
    available = .allocate(capacity: 1)
    sem_init(available, 0, 0)
  }

  deinit {
    // Each thread retains the pool; deinit runs after the last one exits.
    sem_destroy(available)
    available.deallocate()
  }

  /// Runs `work` on a thread of the pool and passes the result to `then` on the loop.
  package func submit<Result: Sendable>(
    _ work: @escaping @Sendable () -> Result, then: @escaping @ReactorActor (Result) -> Void
  ) {
    let needsThread = state.withLock { state in
      state.waiting.append {
        let result = work()
        EventLoop.shared.post { then(result) }
      }
      guard state.running < threads, state.waiting.count > state.idle else { return false }
      state.running += 1
      return true
    }
    if needsThread { startThread() }
    sem_post(available)
  }

  /// The same for who waits for the result.
  @ReactorActor
  package func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
    await completion { submit(work, then: $0) }
  }

  private func startThread() {
    var thread = pthread_t()
    let pool = Unmanaged.passRetained(self).toOpaque()
    let failure = pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<BlockingPool>.fromOpaque(argument).takeRetainedValue().work()
      }, pool)
    guard failure == 0 else {
      Unmanaged<BlockingPool>.fromOpaque(pool).release()
      // The system has no more threads now. The work does not run here: it may never end.
      EventLoop.shared.post {
        _ = EventLoop.shared.schedule(after: BlockingPool.retrySeconds) { [self] in startThread() }
      }
      return
    }
    pthread_detach(thread)
  }

  private func work() -> Never {
    while true {
      state.withLock { $0.idle += 1 }
      while sem_wait(available) != 0 {}
      let next: (@Sendable () -> Void)? = state.withLock { state in
        state.idle -= 1
        return state.waiting.removeFirst()
      }
      next?()
    }
  }
}
