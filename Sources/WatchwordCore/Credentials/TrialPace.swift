/// How a credential that no server has judged is tried: one request goes ahead, and the others wait for its head
/// (challenges.md 12.7).
///
/// Each try may be a bad login, and some servers lock an account after three. But one that is never answered, a long
/// poll, must not hold the others for ever: the wait has a bound, and the further tries a number.
package struct TrialPace: Sendable, Equatable {
  /// How long the others wait for each try.
  package static let waitSeconds = 10.0
  /// The same for a credential that a server has accepted before: it is likely to be accepted again.
  package static let waitSecondsOfKnown = 2.0
  /// Tries that silence adds to the first.
  package static let furtherTries = 3

  /// Whether no server has accepted it.
  let isNew: Bool
  /// When the wait for the newest try is over, in monotonic seconds.
  private(set) var nextAt = 0.0
  private var silences = 0

  /// Whether the server has said nothing to any of the tries.
  private(set) var isOver = false

  init(isNew: Bool = true) { self.isNew = isNew }

  /// A try begins.
  mutating func begin(now: Double) { nextAt = now + (isNew ? Self.waitSeconds : Self.waitSecondsOfKnown) }

  /// The wait is over. Returns whether the next task tries, too; if not, no other task does.
  mutating func noteSilence() -> Bool {
    silences += 1
    isOver = silences > Self.furtherTries
    return !isOver
  }
}
