internal import WatchwordCore
internal import WatchwordPrimitives
internal import WatchwordTransport

/// What the session keeps of its user's memory, beside its configuration and its connections.
extension Session {
  /// Whether the uid may have so much more kept.
  func hasRoom(for bytes: Int) -> Bool { bytes <= 0 || environment.budget.hasRoom(for: bytes, of: uid) }

  /// Counts what events have added and taken away.
  func countKept() {
    keptCharge.follow(
      state.credentials.byteCount + state.credentials.count * HeldBytes.credential
        + state.credentials.nonceBytes + state.identities.heldBytes
        + engine.cookies.heldBytes + earlierCookies.reduce(0) { $0 + $1.heldBytes })
  }
}
