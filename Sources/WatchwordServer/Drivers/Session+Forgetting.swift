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

  /// The same for `agent/forget`.
  func forget() {
    forgetFetches()
    take { $0.forget(at: $1) }
  }

  /// The agent of the account is locked.
  func lock() {
    forgetFetches()
    take { $0.lock(at: $1) }
  }

  /// What servers have left here, and what was fetched last: a URL may hold a token.
  private func forgetFetches() {
    for jar in [engine.cookies] + earlierCookies { _ = jar.remove(domain: nil, name: nil) }
    authorities = KnownAuthorities()
  }

  /// - Parameter isByReply: whether a reply to this session's challenge has unlocked it.
  func unlock(isByReply: Bool) {
    if isByReply { counters.countAnswer(.useCredential, after: nil) }
    take { $0.unlock(isByReply: isByReply, at: $1) }
  }
}
