/// How a credential that no server has judged is tried: one request goes ahead, and the others wait for its head
/// (challenges.md 12.7).
///
/// Each try may be a bad login, and some servers lock an account after three. But one that is never answered, a long
/// poll, must not hold the others for ever: the wait has a bound, and the further tries a number.
package struct TrialPace: Sendable, Equatable {
  /// How long the others wait for each try.
  package static let waitSeconds = 10.0
  /// Tries that silence adds to the first.
  package static let furtherTries = 3

  /// When the wait for the newest try is over, in monotonic seconds.
  private(set) var nextAt = 0.0
  private var silences = 0

  /// Whether the server has said nothing to any of the tries.
  private(set) var isOver = false

  /// A try begins.
  mutating func begin(now: Double) { nextAt = now + Self.waitSeconds }

  /// The wait is over. Returns whether the next task tries, too; if not, no other task does.
  mutating func noteSilence() -> Bool {
    silences += 1
    isOver = silences > Self.furtherTries
    return !isOver
  }
}
