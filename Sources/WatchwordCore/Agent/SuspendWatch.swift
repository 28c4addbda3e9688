/// When agents lock because the machine goes to sleep (storage.md 9.11.14).
///
/// logind announces sleep, and waits some seconds for those that hold an inhibitor. So the secrets are wiped
/// before the memory is kept for hours, or written to a disk.
package struct SuspendWatch: Sendable, Equatable {
  package enum Effect: Sendable, Equatable {
    case connect
    case disconnect
    case takeInhibitor
    /// Sleep waits for us no longer.
    case releaseInhibitor
    /// Every agent locks, or forgets; `wiped` follows.
    case lockAll
    /// `timeIsUp` follows after so many seconds; a wait before is over.
    case wait(Double)
  }

  package private(set) var state = State.off
  private var delay = GrowingDelay(first: 1, longest: 300)
  /// Whether an inhibitor was asked for and there is no answer.
  private var isAsking = false
  private var isAsleep = false

  package init() {}

  // MARK: The configuration

  package mutating func turnOn() -> [Effect] {
    guard state == .off else { return [] }
    state = .connecting
    return [.connect]
  }

  package mutating func turnOff() -> [Effect] {
    guard state != .off else { return [] }
    self = SuspendWatch()
    return [.releaseInhibitor, .disconnect]
  }

  // MARK: The bus

  package mutating func libraryMissing() { state = .noLibrary }

  package mutating func connected() -> [Effect] {
    state = .connecting
    return ask()
  }

  /// The bus does not take the connection, or has closed it.
  package mutating func disconnected() -> [Effect] {
    (state, isAsking, isAsleep) = (.noBus, false, false)
    return [.releaseInhibitor, .disconnect, .wait(delay.next())]
  }

  package mutating func timeIsUp() -> [Effect] {
    switch state {
    case .noBus: return [.connect]
    case .noLogind: return ask()
    // It has come back meanwhile, or nothing is watched any more.
    case .off, .noLibrary, .connecting, .noInhibitor, .ready: return []
    }
  }

  // MARK: logind

  /// - Parameter hasInhibitor: false: it was refused.
  package mutating func answered(hasInhibitor: Bool) -> [Effect] {
    isAsking = false
    delay.reset()
    state = hasInhibitor ? .ready : .noInhibitor
    // Sleep began meanwhile.
    return isAsleep ? [.releaseInhibitor] : []
  }

  package mutating func notAnswered() -> [Effect] {
    (state, isAsking) = (.noLogind, false)
    return [.wait(delay.next())]
  }

  /// - Parameter isThere: whether another one has taken its place.
  package mutating func ownerChanged(isThere: Bool) -> [Effect] {
    isAsleep = false
    guard isThere else {
      state = .noLogind
      return [.releaseInhibitor]
    }
    return [.releaseInhibitor] + ask()
  }

  package mutating func sleepBegins() -> [Effect] {
    guard !isAsleep else { return [] }
    isAsleep = true
    return [.lockAll]
  }

  /// Nothing decrypted is left.
  package mutating func wiped() -> [Effect] { isAsleep ? [.releaseInhibitor] : [] }

  package mutating func sleepIsOver() -> [Effect] {
    guard isAsleep else { return [] }
    isAsleep = false
    return [.releaseInhibitor] + ask()
  }

  /// One request at a time, whatever the bus says.
  private mutating func ask() -> [Effect] {
    guard !isAsking else { return [] }
    isAsking = true
    return [.takeInhibitor]
  }
}
