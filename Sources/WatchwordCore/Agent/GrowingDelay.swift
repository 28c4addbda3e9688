/// How long to wait until something outside is tried again: twice as long each time.
package struct GrowingDelay: Sendable, Equatable {
  private let first: Double
  private let longest: Double
  private var seconds: Double

  package init(first: Double, longest: Double) {
    self.first = first
    self.longest = longest
    seconds = first
  }

  package mutating func next() -> Double {
    defer { seconds = min(seconds * 2, longest) }
    return seconds
  }

  /// It has succeeded.
  package mutating func reset() { seconds = first }
}
