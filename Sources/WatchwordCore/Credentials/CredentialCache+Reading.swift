internal import WatchwordVocabulary

/// What another program has stored to have it back (storage.md 9.9).
extension CredentialCache {
  /// Of the user, or without one of the default users: the session's own first, then the account's; those for a path
  /// before those for the whole space, and the newest first.
  func readable(in named: [ProtectionSpace], user: String?) -> [CachedCredential] {
    // Copies follow their records.
    table.readable(in: named, user: user).filter { $0.permanentNumber == nil }
      + permanent.readable(in: named, user: user)
  }

  mutating func noteReading(of entry: CachedCredential, now: Double) {
    // A readable one is never a reply's that is still to become a record.
    guard entry.credential.persistence == .forSession else {
      return permanent.noteUse(entry.generation, now: now)
    }
    _ = table.change(entry.key) { $0.record.noteUse(now: now) }
  }
}

extension CredentialTable {
  func readable(in named: [ProtectionSpace], user: String?) -> [CachedCredential] {
    Set(named.flatMap { self.keys(in: $0, user: user) }).compactMap { self[$0] }
      .filter { $0.credential.isReadable && (user != nil || $0.isDefault) }
      .sorted { ($0.pathDepth, $0.generation) > ($1.pathDepth, $1.generation) }
  }
}

extension CachedCredential {
  /// Of two paths that cover another one, the longer one is deeper.
  fileprivate var pathDepth: Int { credential.path?.utf8.count ?? 0 }
}
