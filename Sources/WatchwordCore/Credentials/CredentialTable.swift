internal import WatchwordVocabulary

/// The entries of a session by key, by protection space and by origin, always in step.
struct CredentialTable: Sendable {
  private var entries: [CredentialKey: CachedCredential] = [:]
  /// The users of each space, the default first.
  private var users: [ProtectionSpace: IndexedSet<CredentialKey>] = [:]
  /// The same of those that are kept for a path of a space.
  private var paths: [ProtectionSpace: [Bytewise<String>: IndexedSet<CredentialKey>]] = [:]
  /// The spaces of each origin that hold anything.
  private var spaces: [Origin: IndexedSet<ProtectionSpace>] = [:]

  /// Rises with every change but uses: as long as it stays, the same entries are found.
  private(set) var revision: UInt64 = 0

  /// Of the texts of all entries.
  private(set) var byteCount = 0

  /// Entries that go with the first request.
  private(set) var preemptiveCount = 0

  /// The sixteenth part that was used least recently when it was last looked for, the first one last: all
  /// others have been used later.
  private var oldest: [(key: CredentialKey, touched: Double)] = []
  /// How often it was looked for.
  private(set) var searches = 0

  var count: Int { entries.count }
  var isEmpty: Bool { entries.isEmpty }
  /// In the order in which they were stored.
  var keys: [CredentialKey] {
    // The entries themselves are not moved: each holds many references.
    let numbered = entries.map { (generation: $0.value.generation, key: $0.key) }
    return numbered.sorted(on: \.generation).map(\.key)
  }
  /// The same of the entries.
  var all: [CachedCredential] { keys.compactMap { entries[$0] } }

  subscript(key: CredentialKey) -> CachedCredential? { entries[key] }

  /// Whether there is an entry, without a copy of it.
  func holds(_ key: CredentialKey) -> Bool { entries.index(forKey: key) != nil }

  /// Without a copy of the entry.
  func permanentNumber(of key: CredentialKey) -> UInt64? {
    entries.index(forKey: key).flatMap { entries.values[$0].permanentNumber }
  }

  /// Of one space as a whole, the default user's first.
  func keys(of space: ProtectionSpace) -> [CredentialKey] { users[space]?.elements ?? [] }

  /// The default user's, or another one's when the space has no default.
  func firstKey(of space: ProtectionSpace) -> CredentialKey? { users[space]?.first }

  /// Whether any is kept for a path: nearly none is.
  var hasPaths: Bool { !paths.isEmpty }

  /// Of those of this space that are kept for a path which this use is for.
  func defaultsOfPaths(of space: ProtectionSpace, for use: CredentialUse) -> [CredentialKey] {
    keysOfPaths(of: space, above: use.url.path).filter { isDefault($0) && self[$0]?.permits(use) == true }
  }

  /// Of the paths of one space which this one is or lies below: the longest path first, and of each path the
  /// default user.
  func keysOfPaths(of space: ProtectionSpace, above path: String) -> [CredentialKey] {
    guard !paths.isEmpty, let kept = paths[space] else { return [] }
    // An origin can have thousands, and few of them are sorted.
    return kept.filter { PathReading.isBelow($0.key.wrappedValue, path) }
      .sorted { $0.key.wrappedValue.utf8.count > $1.key.wrappedValue.utf8.count }
      .flatMap(\.value.elements)
  }

  private func keysOfPaths(of space: ProtectionSpace) -> [CredentialKey] {
    guard !paths.isEmpty, let kept = paths[space] else { return [] }
    return kept.values.flatMap(\.elements)
  }

  func allKeys(of space: ProtectionSpace) -> [CredentialKey] { keysOfPaths(of: space) + keys(of: space) }

  /// Of the same space and path, the default user's first.
  func keys(beside key: CredentialKey) -> [CredentialKey] {
    guard let path = key.path else { return keys(of: key.space) }
    return paths[key.space]?[Bytewise(path)]?.elements ?? []
  }

  func defaultKey(beside key: CredentialKey) -> CredentialKey? {
    keys(beside: key).first.flatMap { isDefault($0) ? $0 : nil }
  }

  func isDefault(_ key: CredentialKey) -> Bool {
    entries.index(forKey: key).map { entries.values[$0].isDefault } == true
  }

  /// Of one user, for the whole space and for paths of it.
  func keys(of user: String, in space: ProtectionSpace) -> [CredentialKey] {
    let whole = CredentialKey(space: space, user: user)
    return keysOfPaths(of: space).filter { CredentialKey(space: space, user: user, path: $0.path) == $0 }
      + (holds(whole) ? [whole] : [])
  }

  /// What a caller names.
  ///
  /// - Parameter user: nil for all users.
  func keys(in named: ProtectionSpace, user: String?, _ path: NamedPath = .any) -> [CredentialKey] {
    let keys = spaces(named: named).flatMap { space in
      user.map { self.keys(of: $0, in: space) } ?? allKeys(of: space)
    }
    if case .any = path { return keys }
    return keys.filter { entries[$0].map { path.includes($0.credential) } == true }
  }

  func spaces(of origin: Origin) -> [ProtectionSpace] { spaces[origin]?.elements ?? [] }

  /// The first one of this hop, of the user or of a default user, whose limits do not allow this use.
  func firstOutsideLimits(
    for use: CredentialUse, user: String?, where isUsable: (AuthenticationMethod) -> Bool
  ) -> CredentialKey? {
    first(for: use, user: user, where: isUsable) { !$0.permits(use) }
  }

  /// The first one of this hop, of the user or of a default user, of which this holds.
  func first(
    for use: CredentialUse, user: String?, where isUsable: (AuthenticationMethod) -> Bool,
    that isWanted: (CachedCredential) -> Bool
  ) -> CredentialKey? {
    for space in spaces(of: use.url.origin)
    where space.proxyType == use.proxyType && isUsable(space.authenticationMethod) {
      let key = (user.map { keys(of: $0, in: space) } ?? allKeys(of: space)).first { key in
        guard let entry = self[key], user != nil || entry.isDefault, isWanted(entry) else { return false }
        return !entry.record.isOver(now: use.now, wallClock: use.wallClock)
      }
      if let key { return key }
    }
    return nil
  }

  /// The space that a caller names; without a realm, all those of the hop and method.
  func spaces(named: ProtectionSpace) -> [ProtectionSpace] {
    guard named.isOfAnyRealm else { return [named] }
    return spaces(of: named.origin).filter { $0.ofAnyRealm == named }
  }

  func keys(where isWanted: (CachedCredential) -> Bool) -> [CredentialKey] {
    entries.filter { isWanted($0.value) }.map(\.key)
  }

  /// The entry that makes room for another one; nil when there is none.
  mutating func leastRecentlyUsed() -> CredentialKey? {
    while let next = oldest.popLast() {
      // It has been used since, or is not the same.
      guard let index = entries.index(forKey: next.key), entries.values[index].record.touched == next.touched
      else { continue }
      return next.key
    }
    searches += 1
    // In place: each entry holds many references.
    let all = entries.indices.map { (touched: entries.values[$0].record.touched, index: $0) }
      .sorted(on: \.touched)
    oldest = all.prefix(all.count / 16 + 1).reversed().map { (entries[$0.index].key, $0.touched) }
    return oldest.popLast()?.key
  }

  /// Changes an entry in place, without a copy of what it holds; nil when it is not there.
  mutating func change<Result, Fault: Error>(
    _ key: CredentialKey, _ body: (inout CachedCredential) throws(Fault) -> Result
  ) throws(Fault) -> Result? {
    revision += 1
    return try use(key, body)
  }

  /// Reads an entry where it is; nil when it is not there.
  ///
  /// Mutating, though it changes nothing: Swift lends a value of a dictionary without a copy only for a
  /// change.
  mutating func read<Result>(_ key: CredentialKey, _ body: (CachedCredential) -> Result) -> Result? {
    use(key) { body($0) }
  }

  /// Changes what the use of an entry changes, in place.
  mutating func use<Result, Fault: Error>(
    _ key: CredentialKey, _ body: (inout CachedCredential) throws(Fault) -> Result
  ) throws(Fault) -> Result? {
    guard let index = entries.index(forKey: key) else { return nil }
    return try body(&entries.values[index])
  }

  /// An entry was given over these ways, too.
  mutating func add(_ ways: [CallersWay], to key: CredentialKey) {
    guard let index = entries.index(forKey: key) else { return }
    let given = entries.values[index].record.ways.with(ways)
    guard given != entries.values[index].record.ways else { return }
    revision += 1
    byteCount -= entries.values[index].byteCount
    entries.values[index].record.ways = given
    byteCount += entries.values[index].byteCount
  }

  /// Puts an entry in, in place of the one that is there.
  mutating func insert(_ entry: CachedCredential, at key: CredentialKey) {
    revision += 1
    byteCount += entry.byteCount
    if entry.credential.isPreemptive { preemptiveCount += 1 }
    if let replaced = entries.updateValue(entry, forKey: key) {
      byteCount -= replaced.byteCount
      if replaced.credential.isPreemptive { preemptiveCount -= 1 }
      return
    }
    if let path = key.path {
      paths[key.space, default: [:]][Bytewise(path), default: IndexedSet()].append(key)
    } else {
      users[key.space, default: IndexedSet()].append(key)
    }
    spaces[key.space.origin, default: IndexedSet()].append(key.space)
  }

  mutating func remove(_ key: CredentialKey) -> CachedCredential? {
    guard let removed = entries.removeValue(forKey: key) else { return nil }
    revision += 1
    byteCount -= removed.byteCount
    if removed.credential.isPreemptive { preemptiveCount -= 1 }
    if let path = key.path {
      removePath(Bytewise(path), key)
    } else {
      users[key.space]?.remove(key)
      if users[key.space]?.isEmpty == true { users[key.space] = nil }
    }
    if users[key.space] == nil, paths.isEmpty || paths[key.space] == nil {
      spaces[key.space.origin]?.remove(key.space)
      if spaces[key.space.origin]?.isEmpty == true { spaces[key.space.origin] = nil }
    }
    return removed
  }

  /// - Returns: What was there.
  mutating func removeAll() -> [CredentialKey: CachedCredential] {
    let removed = entries
    let next = removed.isEmpty ? revision : revision + 1
    self = CredentialTable()
    revision = next
    return removed
  }

  private mutating func removePath(_ path: Bytewise<String>, _ key: CredentialKey) {
    paths[key.space]?[path]?.remove(key)
    guard paths[key.space]?[path]?.isEmpty == true else { return }
    paths[key.space]?[path] = nil
    if paths[key.space]?.isEmpty == true { paths[key.space] = nil }
  }

  /// Makes this user the default of its space, or of its path there; false when there is no such entry.
  mutating func setDefault(_ key: CredentialKey) -> Bool {
    guard entries[key] != nil else { return false }
    revision += 1
    // Only the first one of a space may be its default.
    if let first = keys(beside: key).first { entries[first]?.isDefault = false }
    if let path = key.path {
      paths[key.space]?[Bytewise(path)]?.moveToFront(key)
    } else {
      users[key.space]?.moveToFront(key)
    }
    entries[key]?.isDefault = true
    return true
  }
}

/// The default users of paths that one use is for, looked up once for each space.
struct PathDefaults {
  private var known: [ProtectionSpace: [CredentialKey]] = [:]

  /// In this realm.
  mutating func keys(
    of space: ProtectionSpace, for use: CredentialUse, in table: CredentialTable
  ) -> [CredentialKey] {
    guard table.hasPaths else { return [] }
    if let keys = known[space] { return keys }
    let keys = table.defaultsOfPaths(of: space, for: use)
    known[space] = keys
    return keys
  }

  /// In this realm or in any.
  mutating func hasAny(of space: ProtectionSpace, for use: CredentialUse, in table: CredentialTable) -> Bool {
    guard table.hasPaths else { return false }
    return !keys(of: space, for: use, in: table).isEmpty
      || !keys(of: space.ofAnyRealm, for: use, in: table).isEmpty
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
