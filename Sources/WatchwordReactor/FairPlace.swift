/// Where a taker of turns stands, in the virtual time of those that it shares with.
///
/// Start-time fair queueing (Goyal, Vin and Cheng, 1996): a turn begins where the one before ended, at the earliest at the
/// present of the others. A taker that has been idle is next, one that always works gets an equal share, and
/// unused time is not saved.
struct FairPlace {
  /// Where its next turn begins.
  private(set) var start = 0.0
  /// Where its last one ended.
  private var finish = 0.0
  /// Breaks ties, in the order of arrival.
  private(set) var order: UInt64 = 0

  /// Something is to do, at this present.
  mutating func enter(at present: Double, order: UInt64) {
    start = max(present, finish)
    self.order = order
  }

  /// Its turn took so long.
  mutating func charge(_ seconds: Double) { finish = start + seconds }

  func precedes(_ other: FairPlace) -> Bool {
    start == other.start ? order < other.order : start < other.start
  }
}
