internal import WatchwordVocabulary

/// The entries of a cache by key, by protection space and by origin, always in step.
struct CredentialTable: Sendable {
  typealias Key = CredentialCache.Key

  private var entries: [Key: CachedCredential] = [:]
  /// The users of each space, the default first.
  private var users: [ProtectionSpace: IndexedSet<Key>] = [:]
  /// The spaces of each origin that hold anything.
  private var spaces: [Origin: IndexedSet<ProtectionSpace>] = [:]

  /// Of the texts of all entries.
  private(set) var byteCount = 0

  var count: Int { entries.count }
  var keys: [Key] { Array(entries.keys) }
  /// In the order in which they were stored.
  var all: [CachedCredential] { entries.values.sorted { $0.generation < $1.generation } }

  subscript(key: Key) -> CachedCredential? { entries[key] }

  /// Whether there is an entry, without a copy of it.
  func holds(_ key: Key) -> Bool { entries.index(forKey: key) != nil }

  /// Without a copy of the entry.
  func permanentNumber(of key: Key) -> UInt64? {
    entries.index(forKey: key).flatMap { entries.values[$0].permanentNumber }
  }

  /// Of one space, the default user's first.
  func keys(of space: ProtectionSpace) -> [Key] { users[space]?.elements ?? [] }

  func spaces(of origin: Origin) -> [ProtectionSpace] { spaces[origin]?.elements ?? [] }

  /// The space that a caller names; without a realm, all those of the hop and method.
  func spaces(named: ProtectionSpace) -> [ProtectionSpace] {
    guard named.isOfAnyRealm else { return [named] }
    return spaces(of: named.origin).filter { $0.ofAnyRealm == named }
  }

  func keys(where isWanted: (CachedCredential) -> Bool) -> [Key] {
    entries.filter { isWanted($0.value) }.map(\.key)
  }

  var leastRecentlyUsed: Key? {
    entries.min { $0.value.record.touched < $1.value.record.touched }?.key
  }

  /// Changes an entry in place, without a copy of what it holds; nil when it is not there.
  mutating func change<Result, Fault: Error>(
    _ key: Key, _ body: (inout CachedCredential) throws(Fault) -> Result
  ) throws(Fault) -> Result? {
    guard let index = entries.index(forKey: key) else { return nil }
    return try body(&entries.values[index])
  }

  /// Puts an entry in, in place of the one that is there.
  mutating func insert(_ entry: CachedCredential, at key: Key) {
    byteCount += entry.byteCount
    if let replaced = entries.updateValue(entry, forKey: key) {
      byteCount -= replaced.byteCount
      return
    }
    users[key.space, default: IndexedSet()].append(key)
    spaces[key.space.origin, default: IndexedSet()].append(key.space)
  }

  mutating func remove(_ key: Key) -> CachedCredential? {
    guard let removed = entries.removeValue(forKey: key) else { return nil }
    byteCount -= removed.byteCount
    users[key.space]?.remove(key)
    if users[key.space]?.isEmpty == true {
      users[key.space] = nil
      spaces[key.space.origin]?.remove(key.space)
      if spaces[key.space.origin]?.isEmpty == true { spaces[key.space.origin] = nil }
    }
    return removed
  }

  /// Makes this user the default of its space; false when there is no such entry.
  mutating func setDefault(_ key: Key) -> Bool {
    guard entries[key] != nil else { return false }
    // Only the first one of a space may be its default.
    if let first = users[key.space]?.first { entries[first]?.isDefault = false }
    users[key.space]?.moveToFront(key)
    entries[key]?.isDefault = true
    return true
  }
}
