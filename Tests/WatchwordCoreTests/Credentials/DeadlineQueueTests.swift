import Testing

@testable import WatchwordCore

/// The queue beside a table that is searched as a whole.
struct DeadlineQueueTests {
  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func itHasTheEarliestOfAllWhateverIsSet(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var queue = DeadlineQueue<Int>()
    var times: [Int: Double] = [:]
    for _ in 0..<400 {
      let key = Int.random(in: 0..<40, using: &random)
      // Few times, so that a key is often set back to one that it had before.
      let time =
        Int.random(in: 0..<8, using: &random) == 0 ? nil : Double(Int.random(in: 1...20, using: &random))
      queue.set(key, to: time)
      times[key] = time
      if times.count > 20, let gone = times.keys.sorted().randomElement(using: &random) {
        queue.set(gone, to: nil)
        times[gone] = nil
      }
      #expect(queue.soonest == times.values.min())
      let now = Double(Int.random(in: 0...21, using: &random))
      let due = times.filter { $0.value <= now }
      let found = queue.due(at: now)
      #expect(Set(found) == Set(due.keys) && found.count == due.count)
      #expect(found.compactMap { times[$0] } == due.values.sorted())
      let limit = Int.random(in: 0...10, using: &random)
      let few = queue.due(at: now, atMost: limit)
      #expect(few.compactMap { times[$0] } == Array(due.values.sorted().prefix(limit)))
      #expect(Set(few).count == few.count)
    }
    for key in times.keys { queue.set(key, to: nil) }
    #expect(queue.soonest == nil && queue.due(at: 100).isEmpty)
  }

  @Test func aKeyThatIsSetBackIsDueOnce() {
    var queue = DeadlineQueue<String>()
    for time in [5.0, 7, 5] { queue.set("a", to: time) }
    queue.set("b", to: 1)
    #expect(queue.due(at: 8) == ["b", "a"] && queue.due(at: 8, atMost: 3) == ["b", "a"])
  }

  @Test func whatIsSetIsDueAtItsTimeAndStays() {
    var queue = DeadlineQueue<String>()
    queue.set("a", to: 5)
    #expect(queue.due(at: 4.9).isEmpty)
    for _ in 0..<2 { #expect(queue.due(at: 5) == ["a"] && queue.due(at: 5, atMost: 1) == ["a"]) }
    queue.set("a", to: 7)
    #expect(queue.due(at: 6).isEmpty && queue.soonest == 7)
    queue.set("a", to: nil)
    #expect(queue.due(at: 8).isEmpty && queue.soonest == nil)
  }
}
