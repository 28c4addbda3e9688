/// How fast bytes may pass in one direction: the next piece goes when those before it have taken their time.
package struct SpeedLimit: Sendable {
  package let bytesPerSecond: Int64
  /// When the next piece may go.
  private var due = -Double.infinity

  package init(bytesPerSecond: Int64) { self.bytesPerSecond = bytesPerSecond }

  /// How long the next piece has to wait; nil when it may go.
  package func seconds(at now: Double) -> Double? { due > now ? due - now : nil }

  /// A piece has gone. The time in which nothing went is not made up for.
  package mutating func note(_ count: Int, at now: Double) {
    due = max(due, now) + Double(count) / Double(bytesPerSecond)
  }

  /// How large a piece should be, so that it goes about once a second and fits into a buffer.
  package func pieceBytes(atMost buffer: Int) -> Int { Int(min(bytesPerSecond, Int64(buffer))) }
}
