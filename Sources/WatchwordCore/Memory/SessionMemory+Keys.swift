internal import WatchwordVocabulary

/// Keys in header fields of their own (storage.md 9.4.9): no server asks for them, and each request inside
/// the paths of their limits carries one of each field.
extension SessionMemory {
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
  func keys(
    for use: CredentialUse, _ policy: MethodPolicy, sentBefore before: [SentKey] = [],
    exceptWhere isCallers: (String) -> Bool
  ) -> [CredentialKey] {
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

  private func deepestKey(of space: ProtectionSpace, for use: CredentialUse, _ policy: MethodPolicy)
    -> CredentialKey?
  {
    var best: (key: CredentialKey, depth: Int)?
    for key in table.keysOfPaths(of: space, above: use.url.path) + table.keys(of: space) {
      guard let entry = table[key], entry.permits(use), counts(entry, for: use),
        !entry.needsConfirmation(for: use.process), let depth = entry.scopeDepth(covering: use.url, policy)
      else { continue }
      if best.map({ depth > $0.depth }) ?? true { best = (key, depth) }
    }
    return best?.key
  }

  /// The field with the key, and what is sent; nil when it is not there any more. Counts a use, unless the
  /// same request is made again.
  func field(of key: CredentialKey, for use: CredentialUse, isRepeated: Bool) -> (HeaderField, SentKey)? {
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
  func taken(_ sent: SentKey) {
    note(.accepted, of: sent.kind, in: sent.key.space, entry: sent.key)
    servedUnasked(sent.key, generation: sent.generation)
  }

  /// The server has refused the key: it is removed, unless it has been replaced since it was sent.
  func refused(_ sent: SentKey) {
    note(.refused, of: sent.kind, in: sent.key.space, entry: sent.key)
    noteRefused(sent.kind, in: sent.key.space)
    refused(sent.key, generation: sent.generation)
  }
}

/// A key that a request carries.
struct SentKey: Sendable {
  let key: CredentialKey
  let generation: UInt64
  let kind: Credential.Kind
}
