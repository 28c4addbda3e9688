/// How many times took how long, as OpenMetrics counts them; its size is fixed.
package struct Histogram: Sendable, Equatable {
  /// In seconds, ascending; what is longer than the last one is counted behind it.
  package let bounds: [Double]
  /// Of each bound those that took at most so long and longer than the bound before; at the end the longer
  /// ones.
  package private(set) var counts: [Int]
  /// Of all, in seconds.
  package private(set) var sum = 0.0

  /// Of tasks: from a warm fetch to a large download.
  package static let taskBounds = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300,
  ]
  /// Of replies: from a program's to a person's.
  package static let replyBounds = [0.01, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900, 3600]

  package init(bounds: [Double]) {
    self.bounds = bounds
    counts = Array(repeating: 0, count: bounds.count + 1)
  }

  package mutating func count(_ seconds: Double) {
    let seconds = max(0, seconds)
    counts[bounds.firstIndex { seconds <= $0 } ?? bounds.count] += 1
    sum += seconds
  }
}
