internal import WatchwordCore
internal import WatchwordTransport

/// What makes the session forget, while it goes on.
extension Session {
  /// Forgets cookies, credentials and trust; tasks go on. What is permanent is not the session's to forget.
  func reset() {
    // What begins again because of the reset carries none of them.
    forgetFetches()
    take { $0.reset(at: $1) }
  }

  /// What servers have left here, and what was fetched last: a URL may hold a token.
  private func forgetFetches() {
    for jar in [engine.cookies] + earlierCookies { _ = jar.remove(domain: nil, name: nil) }
    authorities = KnownAuthorities()
  }
}
