/// Distinguishes calls of libcurl without effect from those that make progress.
///
/// libcurl 7.88 asks to be called at once, or while a socket is writable, although it waits for something else: for
/// the window of a stream that its server has ended, or for a paused stream. It is then called less often.
struct SpinGuard {
  /// Calls without effect before libcurl has to wait.
  private static let vainCalls = 16
  /// The delay between two calls after that.
  static let restSeconds = 0.005

  private var progress: UInt64 = 0
  private var calls = 0

  /// Records one more call; returns whether libcurl has to wait.
  ///
  /// - Parameter progress: a counter of all progress so far.
  mutating func isSpinning(_ progress: UInt64) -> Bool {
    if progress != self.progress { calls = 0 }
    self.progress = progress
    calls += 1
    return calls > SpinGuard.vainCalls
  }
}
