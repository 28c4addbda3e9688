/// Tells work of libcurl that leads to nothing, again and again, from work that brings an exchange forward.
///
/// libcurl 7.88 asks to be called at once, or while a socket can be written, although it waits for something else: for the
/// window of a stream that its server has ended, or for a paused stream. Then it is called less often.
struct SpinGuard {
  /// How often libcurl is called in vain before it has to wait.
  private static let vainCalls = 16
  /// How long it waits between two calls then.
  static let restSeconds = 0.005

  private var progress: UInt64 = 0
  private var calls = 0

  /// Notes one more call; whether it has to wait.
  ///
  /// - Parameter progress: how much has moved so far.
  mutating func isSpinning(_ progress: UInt64) -> Bool {
    if progress != self.progress { calls = 0 }
    self.progress = progress
    calls += 1
    return calls > SpinGuard.vainCalls
  }
}
