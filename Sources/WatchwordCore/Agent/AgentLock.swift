/// The lock of one account's agent, with ssh-agent's semantics: the passphrase that locked it unlocks it
/// (storage.md 9.11).
///
/// One passphrase is worked on at a time, because each costs memory and a tenth of a second.
package struct AgentLock: Sendable, Equatable {
  package enum LockFault: Error, Sendable, Equatable {
    /// A locked agent is not locked again, and by no other passphrase.
    case locked
    case unlocked
    /// Another passphrase is being worked on.
    case busy
  }

  private enum Phase: Sendable, Equatable {
    case unlocked
    case locking
    case locked
    case unlocking
  }

  private var phase = Phase.unlocked
  private var attempts = PassphraseAttempts()

  package init() {}

  /// That of the previous daemon.
  package init(wrongAttempts: Int) { attempts = PassphraseAttempts(wrong: wrongAttempts) }

  /// Passphrases since the last right one; more than slow the next one down are not counted.
  package var wrongAttempts: Int { attempts.wrong }

  /// Whether nothing is shown and nothing is sent.
  package var isLocked: Bool {
    switch phase {
    case .unlocked, .locking: false
    case .locked, .unlocking: true
    }
  }

  /// A key is made of the passphrase from now on, until `endLocking`.
  package mutating func beginLocking() throws(LockFault) {
    switch phase {
    case .unlocked: phase = .locking
    case .locked: throw .locked
    case .locking, .unlocking: throw .busy
    }
  }

  /// - Parameter isReady: whether there is a key to compare with; otherwise nothing has happened.
  package mutating func endLocking(isReady: Bool) {
    switch phase {
    case .locking: phase = isReady ? .locked : .unlocked
    case .unlocked, .locked, .unlocking: break
    }
  }

  /// Locks it with the key that there is, from the time before.
  ///
  /// - Returns: Whether it is locked now.
  package mutating func lockAgain() -> Bool {
    switch phase {
    case .unlocked:
      phase = .locked
      return true
    case .locking, .locked, .unlocking: return false
    }
  }

  /// A passphrase is compared from now on, until `endUnlocking`.
  ///
  /// - Returns: Seconds to wait before.
  package mutating func beginUnlocking() throws(LockFault) -> Double {
    switch phase {
    case .locked:
      phase = .unlocking
      return attempts.delay
    case .unlocked: throw .unlocked
    case .locking, .unlocking: throw .busy
    }
  }

  /// - Parameter isRight: nil when there was no memory to find out.
  package mutating func endUnlocking(isRight: Bool?) {
    switch phase {
    case .unlocking:
      if let isRight { attempts.note(isRight: isRight) }
      phase = isRight == true ? .unlocked : .locked
    case .unlocked, .locking, .locked: break
    }
  }
}

/// How long to wait until something outside is tried again: twice as long each time.
package struct GrowingDelay: Sendable, Equatable {
  private let first: Double
  private let longest: Double
  private var seconds: Double

  package init(first: Double, longest: Double) {
    self.first = first
    self.longest = longest
    seconds = first
  }

  package mutating func next() -> Double {
    defer { seconds = min(seconds * 2, longest) }
    return seconds
  }

  /// It has succeeded.
  package mutating func reset() { seconds = first }
}

/// How wrong passphrases slow the next ones down.
package struct PassphraseAttempts: Sendable, Equatable {
  private static let mostCounted = 7

  /// Since the last right one.
  fileprivate private(set) var wrong = 0

  package init() {}

  fileprivate init(wrong: Int) { self.wrong = min(max(0, wrong), Self.mostCounted) }

  /// Seconds until the next passphrase is tried: a quarter of one after the first wrong passphrase, twice as
  /// many after each further one, 16 at most.
  package var delay: Double { wrong == 0 ? 0 : 0.25 * Double(1 << min(wrong - 1, 6)) }

  package mutating func note(isRight: Bool) { wrong = isRight ? 0 : min(wrong + 1, Self.mostCounted) }
}

/// What becomes of an agent that is not used (storage.md 9.11.13).
package struct IdleAgent: Sendable, Equatable {
  package enum IdleAction: Sendable, Equatable {
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
  ) -> IdleAction {
    guard let use = lastUse else { return .nothing }
    if isRunning { lastUse = now }
    let left = (isRunning ? now : use) + seconds - now
    if left > 0 { return .wait(left) }
    lastUse = nil
    return IdleAgent.ending(isLocked: isLocked, hasPassphrase: hasPassphrase)
  }

  /// What becomes of an agent that is left alone, here or by a machine that goes to sleep: no person types a
  /// passphrase.
  package static func ending(isLocked: Bool, hasPassphrase: Bool) -> IdleAction {
    isLocked ? .nothing : hasPassphrase ? .lock : .forget
  }
}
