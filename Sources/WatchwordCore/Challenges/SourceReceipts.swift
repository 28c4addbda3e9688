package import WatchwordVocabulary

/// What a source is told of a credential that it gave.
package struct SourceReport: Sendable, Equatable {
  /// The operations of git's credential helpers.
  package enum Operation: String, Sendable {
    /// A server has accepted it.
    case store
    /// A server has refused it.
    case erase
  }

  package let operation: Operation
  package let source: String
  package let origin: Origin
  package let receipt: Secret
}

/// What sources gave that want to know what becomes of it (storage.md 9.7.11).
struct SourceReceipts: Sendable {
  private struct KeptReceipt: Sendable {
    let source: String
    let mark: CredentialMark
    let receipt: Secret
    var isStored = false
  }

  private static let capacity = SourceBindings.capacity

  private var entries: [ProtectionSpace: KeptReceipt] = [:]

  /// The space is given this credential, which no server has judged.
  mutating func note(_ credential: Credential, in space: ProtectionSpace) {
    guard let source = credential.source else { return }
    guard let receipt = source.receipt else { return remove(space) }
    let known = entries[space]
    let entry = KeptReceipt(source: source.name, mark: CredentialMark(credential.kind), receipt: receipt)
    // What was stored is not stored again when the session keeps it.
    if let known, known.mark == entry.mark, known.receipt == receipt { return }
    guard known != nil || entries.count < Self.capacity else { return }
    entries[space] = entry
  }

  /// A server has refused a credential: once, the source is told so.
  mutating func takeRefused(_ mark: CredentialMark, in space: ProtectionSpace) -> SourceReport? {
    guard let place = place(of: mark, in: space), let entry = entries.removeValue(forKey: place) else {
      return nil
    }
    return report(.erase, entry, space)
  }

  /// A server has accepted a credential: the first time, the source is told so.
  mutating func takeAccepted(_ kind: Credential.Kind, in space: ProtectionSpace) -> SourceReport? {
    guard !entries.isEmpty, let place = place(of: CredentialMark(kind), in: space),
      let entry = entries[place], !entry.isStored
    else { return nil }
    entries[place]?.isStored = true
    return report(.store, entry, space)
  }

  mutating func remove(_ space: ProtectionSpace) { entries[space] = nil }

  mutating func removeAll() { entries = [:] }

  /// Where it was given: for this space, or for any realm.
  private func place(of mark: CredentialMark, in space: ProtectionSpace) -> ProtectionSpace? {
    [space, space.ofAnyRealm].first { entries[$0]?.mark == mark }
  }

  private func report(
    _ operation: SourceReport.Operation, _ entry: KeptReceipt, _ space: ProtectionSpace
  ) -> SourceReport {
    SourceReport(
      operation: operation, source: entry.source, origin: space.origin, receipt: entry.receipt)
  }
}

/// What the source of a space gave and the server refused (storage.md 9.7.9).
///
/// It is not sent again before the source gives something else, and the pause between readings grows: a stale
/// password would otherwise lock its account, one login for each fetch.
struct RefusedSource: Sendable {
  /// Of the first pause, and of the longest one.
  private static let (shortest, longest) = (5.0, 600.0)

  private(set) var given: CredentialMark
  private(set) var isRefused = false
  /// Refusals, and readings that gave what was refused before.
  private var failures = 0
  /// Monotonic seconds.
  private var readAfter = 0.0

  init(_ given: CredentialMark) { self.given = given }

  /// Whether the source may be read now. After the first refusal it may be: the secret may have changed.
  func mayRead(now: Double) -> Bool { readAfter <= now }

  /// Seconds until it is read again.
  func pause(now: Double) -> Double { max(0, readAfter - now) }

  /// The account was unlocked: it is read and sent once more. The pause after another refusal grows
  /// nevertheless.
  mutating func retry() { (isRefused, readAfter) = (false, 0) }

  func hasRefused(_ mark: CredentialMark) -> Bool { isRefused && given == mark }

  mutating func note(given mark: CredentialMark, now: Double) {
    if hasRefused(mark) { return noteFailure(now: now) }
    (given, isRefused) = (mark, false)
  }

  mutating func note(refused mark: CredentialMark, now: Double) {
    guard given == mark, !isRefused else { return }
    isRefused = true
    noteFailure(now: now)
  }

  private mutating func noteFailure(now: Double) {
    failures += 1
    guard failures > 1 else { return }
    readAfter = now + min(Self.longest, Self.shortest * Double(1 << min(failures - 2, 10)))
  }
}
