internal import WatchwordSecret
package import WatchwordVocabulary

/// Keys in header fields of their own (storage.md 9.4.9): no server asks for them, and each request inside
/// the paths of their limits carries one of each field.
extension CredentialCache {
  /// Whether there may be any: nearly no session has one.
  package var mayHaveKeys: Bool { table.preemptiveCount > 0 || permanent.hasPreemptive }

  /// The header fields of an origin, in lower case, for which there are keys, whatever their limits say.
  func keyFields(at origin: Origin) -> Set<String> {
    guard mayHaveKeys else { return [] }
    let spaces = table.spaces(of: origin) + permanent.spaces(of: origin)
    return Set(spaces.compactMap(\.field))
  }

  /// Whether there is a key for a field that its limits have not ended.
  ///
  /// - Parameters:
  ///   - now: seconds of a monotonic clock.
  ///   - wallClock: seconds since 1970.
  func hasKey(in space: ProtectionSpace, now: Double, wallClock: Double) -> Bool {
    table.allKeys(of: space).contains { key in
      table[key].map { !$0.record.isOver(now: now, wallClock: wallClock) } == true
    }
  }

  /// The keys that go with a request: of each field the one with the deepest scope, of equally deep ones the
  /// session's own.
  ///
  /// - Parameters:
  ///   - before: what the same request carried before, whose use is counted.
  ///   - isCallers: whether the request has the field already, whose name is in lower case.
  mutating func keys(
    for use: CredentialUse, _ policy: MethodPolicy, sentBefore before: [SentKey] = [],
    exceptWhere isCallers: (String) -> Bool
  ) -> [Key] {
    guard mayHaveKeys, use.proxyType == nil, policy.allowsFirst(over: use.url.origin) else { return [] }
    copyPreemptiveRecords(for: use, policy)
    let spaces = table.spaces(of: use.url.origin).filter { space in
      space.proxyType == nil && space.field.map { !isCallers($0) } ?? false
    }
    let found = spaces.flatMap { table.allKeys(of: $0) }
    for key in found {
      let isRepeated = before.contains { $0.key == key }
      if let entry = table[key], isOver(entry, use, isRepeated: isRepeated) { removeExpired(key) }
    }
    return spaces.compactMap { deepestKey(of: $0, for: use, policy) }
  }

  private func deepestKey(of space: ProtectionSpace, for use: CredentialUse, _ policy: MethodPolicy) -> Key? {
    var best: (key: Key, depth: Int)?
    for key in table.keysOfPaths(of: space, above: use.url.path) + table.keys(of: space) {
      guard let entry = table[key], entry.permits(use), counts(entry, for: use),
        !entry.needsConfirmation(for: use), let depth = entry.scopeDepth(covering: use.url, policy)
      else { continue }
      if best.map({ depth > $0.depth }) ?? true { best = (key, depth) }
    }
    return best?.key
  }

  /// The field with the key, and what is sent; nil when it is not there any more. Counts a use, unless the
  /// same request is made again.
  mutating func field(of key: Key, for use: CredentialUse, isRepeated: Bool) -> (HeaderField, SentKey)? {
    guard let entry = table[key], case .token(let token) = entry.credential.kind, let name = key.space.field
    else { return nil }
    _ = table.use(key) {
      if isRepeated { $0.record.noteRepetition(now: use.now) } else { $0.record.noteUse(now: use.now) }
    }
    if !isRepeated, let number = entry.permanentNumber { permanent.noteUse(number, now: use.now) }
    let prefix = entry.credential.prefix
    let value = prefix.isEmpty ? token : Secret(joining: [Secret(prefix.utf8), token])
    return (
      HeaderField(name, secret: value),
      SentKey(key: key, generation: entry.generation, kind: entry.credential.kind)
    )
  }

  /// The server has taken a request with the key.
  mutating func taken(_ sent: SentKey) {
    note(.accepted, of: sent.kind, in: sent.key.space, entry: sent.key)
    servedUnasked(sent.key, generation: sent.generation)
  }

  /// The server has refused the key: it is removed, unless it has been replaced since it was sent.
  mutating func refused(_ sent: SentKey) {
    note(.refused, of: sent.kind, in: sent.key.space, entry: sent.key)
    noteRefused(sent.kind, in: sent.key.space)
    refused(sent.key, generation: sent.generation)
  }
}

/// A key that a request carries.
struct SentKey: Sendable {
  let key: CredentialCache.Key
  let generation: UInt64
  let kind: Credential.Kind
}

extension CredentialCache {
  /// Where a credential is kept. Text counts byte by byte, as in ``Bytewise``.
  package struct Key: Hashable, Sendable {
    private let parts: KeyParts

    package var space: ProtectionSpace { parts.space }
    package var user: String? { parts.user.wrappedValue }
    /// Of one that is kept beside the user's others; nil: of the whole space.
    package var path: String? { parts.path.wrappedValue }

    package init(space: ProtectionSpace, user: String?, path: String? = nil) {
      parts = KeyParts(space, user, path)
    }

    /// Where the credential is kept for a space.
    package init(_ credential: Credential, for space: ProtectionSpace) {
      self.init(space: space, user: credential.user, path: credential.path)
    }

    /// The same user and path in any realm.
    var ofAnyRealm: Key { Key(space: space.ofAnyRealm, user: user, path: path) }

    /// The one object of a key that was handed on is compared first.
    package static func == (left: Key, right: Key) -> Bool {
      left.parts === right.parts || left.parts.hasContents(of: right.parts)
    }

    package func hash(into hasher: inout Hasher) {
      hasher.combine(parts.hash)
    }
  }
}

/// What a key consists of. On the heap, with its hash: every fetch with a credential looks its key up and
/// copies it.
private final class KeyParts: Sendable {
  let space: ProtectionSpace
  let user: Bytewise<String?>
  let path: Bytewise<String?>
  let hash: Int

  init(_ space: ProtectionSpace, _ user: String?, _ path: String?) {
    self.space = space
    self.user = Bytewise(wrappedValue: user)
    self.path = Bytewise(wrappedValue: path)
    var hasher = Hasher()
    hasher.combine(space)
    hasher.combine(self.user)
    hasher.combine(self.path)
    hash = hasher.finalize()
  }

  func hasContents(of other: KeyParts) -> Bool {
    hash == other.hash && space == other.space && user == other.user && path == other.path
  }
}
