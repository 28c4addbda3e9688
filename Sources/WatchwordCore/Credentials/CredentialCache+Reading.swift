internal import WatchwordVocabulary

/// What another program has stored to have it back (challenges.md 9.9).
extension CredentialCache {
  /// Of the user, or without one of the default users: the session's own first, then the account's; the newest first.
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
    _ = table.change(Key(space: entry.space, user: entry.credential.user)) { $0.record.noteUse(now: now) }
  }
}

extension CredentialTable {
  func readable(in named: [ProtectionSpace], user: String?) -> [CachedCredential] {
    let spaces = Set(named.flatMap { self.spaces(named: $0) })
    let keys = spaces.flatMap { space in
      user.map { [Key(space: space, user: $0)] } ?? Array(self.keys(of: space).prefix(1))
    }
    return keys.compactMap { self[$0] }
      .filter { $0.credential.isReadable && (user != nil || $0.isDefault) }
      .sorted { $0.generation > $1.generation }
  }
}
