/// What becomes of an agent that is not used (storage.md 9.11.13).
package struct IdleAgent: Sendable, Equatable {
  package enum Outcome: Sendable, Equatable {
    /// With the passphrase that locked it last.
    case lock
    /// No passphrase would unlock it: its memory is cleared.
    case forget
    /// Look again after so many seconds.
    case wait(Double)
    /// It is locked, or is cleared and was not used since.
    case nothing
  }

  /// Monotonic seconds; nil after the outcome until the next use.
  private var lastUse: Double?

  package init() {}

  /// - Returns: Whether to start a timer for the idle time: none runs.
  package mutating func noteUse(now: Double) -> Bool {
    defer { lastUse = now }
    return lastUse == nil
  }

  /// - Parameters:
  ///   - seconds: the idle time.
  ///   - isRunning: whether a task is under way. One that waits for an answer is not.
  ///   - hasPassphrase: whether the agent was locked before.
  package mutating func outcome(
    after seconds: Double, isRunning: Bool, isLocked: Bool, hasPassphrase: Bool, now: Double
  ) -> Outcome {
    guard let use = lastUse else { return .nothing }
    if isRunning { lastUse = now }
    let left = (isRunning ? now : use) + seconds - now
    if left > 0 { return .wait(left) }
    lastUse = nil
    return IdleAgent.ending(isLocked: isLocked, hasPassphrase: hasPassphrase)
  }

  /// What becomes of an agent that is left alone, here or by a machine that goes to sleep: no person types a passphrase.
  package static func ending(isLocked: Bool, hasPassphrase: Bool) -> Outcome {
    isLocked ? .nothing : hasPassphrase ? .lock : .forget
  }
}
