internal import WatchwordCore
internal import WatchwordTransport
internal import WatchwordVocabulary

/// What makes the session forget, while it goes on.
extension Session {
  /// Forgets cookies, credentials and trust; tasks go on. What is permanent is not the session's to forget.
  func reset() {
    // What begins again because of the reset carries none of them.
    forgetFetches()
    take { $0.reset(at: $1) }
  }

  // MARK: The agent

  /// From now on this counts as done: it comes before everything else that happens in the session. `settle` does it.
  func owe(_ order: AgentOrder) {
    switch order {
    case .forget, .lock:
      // The engine sends cookies without asking the session.
      engine.cookies.hide()
      authorities = KnownAuthorities()
    case .unlock: break
    }
    // Nothing has come into the session since.
    guard due.last != order else { return }
    due.append(order)
    if due.count > Session.mostDue { settle() }
  }

  /// Does what is due; what follows from it is carried out later.
  func settle() {
    guard !due.isEmpty else { return }
    let orders = due
    due = []
    for order in orders {
      switch order {
      case .forget:
        engine.cookies.disposeOfHidden()
        takeAndPutOff { $0.forget(at: $1) }
      case .lock:
        engine.cookies.disposeOfHidden()
        takeAndPutOff { $0.lock(at: $1) }
      case .unlock(let isByReply):
        if isByReply { counters.countAnswer(.useCredential, after: nil) }
        takeAndPutOff { $0.unlock(isByReply: isByReply, at: $1) }
      }
    }
  }

  var isLocked: Bool {
    settle()
    return state.isLocked
  }

  /// The same with all that follows from it.
  func carryOutWhatIsDue() {
    settle()
    carryOutWhatWasPutOff()
  }

  /// Bounds what a caller can have put off by locking and unlocking.
  private static let mostDue = 4

  /// What servers have left here, and what was fetched last: a URL may hold a token.
  private func forgetFetches() {
    for jar in [engine.cookies] + earlierCookies { _ = jar.remove(domain: nil, name: nil) }
    authorities = KnownAuthorities()
  }
}

/// What the agent of an account has all its sessions do. There may be thousands: each does it in a step of its own, or
/// before whatever happens in it earlier (storage.md 9.8.5).
enum AgentOrder: Equatable {
  case forget
  case lock
  /// - Parameter isByReply: whether a reply to this session's challenge has unlocked it.
  case unlock(isByReply: Bool)
}
