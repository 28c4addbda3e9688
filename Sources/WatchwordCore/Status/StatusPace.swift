/// How often subscribers are told the status: describing thousands of sessions takes time that everyone waits for.
package struct StatusPace: Sendable {
  /// A round may take one part in so many of the time.
  static let share = 20.0

  private var earliest = -Double.infinity

  package init() {}

  /// - Parameters:
  ///   - end: when the round ended, in monotonic seconds.
  ///   - seconds: how long it took.
  package mutating func noteRound(endingAt end: Double, took seconds: Double) {
    earliest = end + max(0, seconds) * StatusPace.share
  }

  /// When the next round may be, if one is wanted at `moment`.
  package func nextRound(wantedAt moment: Double) -> Double { max(moment, earliest) }
}
