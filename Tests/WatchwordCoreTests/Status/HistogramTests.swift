import Testing
import WatchwordCore

@Suite struct HistogramTests {
  @Test func eachTimeIsCountedOnce() {
    var times = Histogram(bounds: [0.1, 1, 10])
    for seconds in [-1, 0, 0.1, 0.11, 1, 9.5, 10.5, 1e9] { times.count(seconds) }
    #expect(times.counts == [3, 2, 1, 2])
    #expect(times.sum == 0.1 + 0.11 + 1 + 9.5 + 10.5 + 1e9)
  }

  @Test(arguments: [Histogram.taskBounds, Histogram.replyBounds])
  func boundsAscend(bounds: [Double]) {
    #expect(bounds == bounds.sorted() && Set(bounds).count == bounds.count)
  }
}
