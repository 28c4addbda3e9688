internal import Glibc
internal import WatchwordCore
internal import WatchwordReactor

/// `agent/*` and SIGUSR1.
extension Daemon {
  /// Clears the memory of a uid, or of all; the vaults stay (challenges.md 9.8).
  ///
  /// - Parameters:
  ///   - process: that asked; nil: the signal did.
  ///   - then: called when nothing decrypted is left.
  func forget(_ uid: UInt32?, for process: Int32?, then: @escaping () -> Void) {
    let sessions = registry.all.filter { uid == nil || $0.uid == uid }
    for session in sessions { session.forget() }
    for uid in uid.map({ [$0] }) ?? Set(sessions.map(\.uid)).sorted() {
      var entry = HistoryEntry(.forgotten, at: Clock.wallSeconds())
      entry.process = process
      record(entry, of: uid)
    }
    // Their tokens are the administrator's.
    if uid == nil || uid == getuid() { sources.forget() }
    vaults.forget(uid) { [self] in
      noteChange()
      then()
    }
  }
}
