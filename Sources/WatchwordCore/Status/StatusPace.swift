/// Limits how often subscribers receive the status: describing thousands of sessions delays all other work.
package struct StatusPace: Sendable {
  /// A round may take at most this fraction (1/20) of the time.
  static let share = 20.0

  private var earliest = -Double.infinity

  package init() {}

  /// - Parameters:
  ///   - end: when the round ended, in monotonic seconds.
  ///   - seconds: how long it took.
  package mutating func noteRound(endingAt end: Double, took seconds: Double) {
    earliest = end + max(0, seconds) * StatusPace.share
  }

  /// The earliest time of the next round, if one is requested at `moment`.
  package func nextRound(wantedAt moment: Double) -> Double { max(moment, earliest) }
}
