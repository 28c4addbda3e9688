internal import WatchwordVocabulary

/// What the source of a space gave and the server refused (storage.md 9.7.9).
///
/// It is not sent again before the source gives something else, and the pause between readings grows: a stale password
/// would otherwise lock its account, one login for each fetch.
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

  /// The account was unlocked: it is read and sent once more. The pause after another refusal grows nevertheless.
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
