internal import WatchwordVocabulary

/// Which credentials count over the ways to servers that callers have chosen (storage.md 9.2.7 and 9.6.12).
extension CredentialCache {
  /// Whether the record counts over those of this use.
  func counts(_ number: UInt64, for use: CredentialUse) -> Bool {
    permanent[number].map { $0.counts(over: ways.ways(of: use)) } ?? false
  }

  /// The same of an entry. One of the session's own counts over what the session has chosen.
  func counts(_ entry: CachedCredential, for use: CredentialUse) -> Bool {
    entry.permanentNumber.map { counts($0, for: use) } ?? entry.counts(over: ways.waysOfTask(use))
  }

  func counts(_ key: Key, for use: CredentialUse) -> Bool {
    if let number = table.permanentNumber(of: key) { return counts(number, for: use) }
    return entry(key).map { $0.counts(over: ways.waysOfTask(use)) } ?? true
  }

  /// The first credential of this hop that is the session's own, and does not count for this use.
  func onAnotherWay(
    for use: CredentialUse, user: String?, where isUsable: (AuthenticationMethod) -> Bool
  ) -> Key? {
    table.first(for: use, user: user, where: isUsable) { $0.permits(use) && !counts($0, for: use) }
  }

  /// Whether the session's netrc counts: nothing of it was given over a way that a task has chosen.
  func countsNetrc(for use: CredentialUse) -> Bool { ways.isOfSession(use) }
}
