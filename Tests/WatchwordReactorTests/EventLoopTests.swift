import Glibc
import Testing
import WatchwordReactor

/// The process's loop on a thread of its own, started once and never stopped.
enum LoopThread {
  static let started: Void = {
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { _ in
        EventLoop.shared.run()
        return nil
      }, nil)
    pthread_detach(thread)
  }()
}

@ReactorActor final class Recorded<Value> {
  var values: [Value] = []
}

@Suite(.serialized) struct EventLoopTests {
  init() { LoopThread.started }

  @Test @ReactorActor func isolatedCodeRunsOnTheLoop() {
    #expect(EventLoop.shared.isOnLoop)
    #expect(assumeOnLoop { EventLoop.shared.isOnLoop })
  }

  @Test func otherThreadsAreNotTheLoop() {
    #expect(!EventLoop.shared.isOnLoop)
  }

  @Test @ReactorActor func timersFireInOrderAndCancelledOnesDoNot() async {
    let fired = await withCheckedContinuation { continuation in
      var fired: [Int] = []
      _ = EventLoop.shared.schedule(after: 0.02) { fired.append(3) }
      _ = EventLoop.shared.schedule(after: 0.01) { fired.append(1) }
      _ = EventLoop.shared.schedule(after: 0.01) { fired.append(2) }
      let cancelled = EventLoop.shared.schedule(after: 0.001) { fired.append(99) }
      cancelled.cancel()
      _ = EventLoop.shared.schedule(after: 0.03) { continuation.resume(returning: fired) }
    }
    #expect(fired == [1, 2, 3])
  }

  @Test @ReactorActor func manyCancelledTimersLeaveTheOthersInOrder() async {
    let fired = await withCheckedContinuation { continuation in
      var fired: [Int] = []
      var timers: [LoopTimer] = []
      for index in 0..<1000 {
        timers.append(
          EventLoop.shared.schedule(after: Double((index * 7919) % 1000) / 100_000) {
            fired.append((index * 7919) % 1000)
          })
      }
      for (index, timer) in timers.enumerated() where index % 5 != 0 { timer.cancel() }
      _ = EventLoop.shared.schedule(after: 0.05) { continuation.resume(returning: fired) }
    }
    #expect(fired.count == 200)
    #expect(fired == fired.sorted())
  }

  @Test @ReactorActor func aDescriptorIsReportedUntilItsWatchIsCancelled() async throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    let (reader, writer) = (ends[0], ends[1])
    defer {
      close(reader)
      close(writer)
    }
    _ = write(writer, "x", 1)
    let count = await withCheckedContinuation { continuation in
      var count = 0
      var watch: Watch?
      watch = try? EventLoop.shared.watch(reader, for: .readable) { interest in
        count += 1
        #expect(interest.contains(.readable))
        if count == 3 {
          watch?.cancel()
          // Nothing more may come; two further turns prove it.
          _ = EventLoop.shared.schedule(after: 0) {
            _ = EventLoop.shared.schedule(after: 0) { continuation.resume(returning: count) }
          }
        }
      }
    }
    #expect(count == 3)
  }

  @Test @ReactorActor func aWatchCancelledByAnotherInTheSameTurnHearsNothing() async throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    let duplicate = dup(ends[0])
    defer { for end in ends + [duplicate] { close(end) } }
    _ = write(ends[1], "x", 1)
    let heard = await withCheckedContinuation { continuation in
      let watches = Recorded<Watch>()
      var heard = 0
      for descriptor in [ends[0], duplicate] {
        let watch = try? EventLoop.shared.watch(descriptor, for: .readable) { _ in
          heard += 1
          for watch in watches.values { watch.cancel() }
          _ = EventLoop.shared.schedule(after: 0) { continuation.resume(returning: heard) }
        }
        if let watch { watches.values.append(watch) }
      }
    }
    #expect(heard == 1)
  }

  @Test @ReactorActor func theEndOfTheTurnComesBeforeTheNextEvent() async {
    let order = await withCheckedContinuation { continuation in
      var order: [String] = []
      _ = EventLoop.shared.schedule(after: 0) {
        EventLoop.shared.atEndOfTurn {
          order.append("end")
          EventLoop.shared.atEndOfTurn { order.append("added") }
        }
        order.append("event")
        _ = EventLoop.shared.schedule(after: 0) { continuation.resume(returning: order) }
      }
    }
    #expect(order.first == "event")
    #expect(order.dropFirst().first == "end" || order.count == 1)
  }

  @Test func thePoolWorksElsewhereAndAnswersOnTheLoop() async {
    let places = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<50 { group.addTask { await BlockingPool.shared.run { EventLoop.shared.isOnLoop } } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(places == Array(repeating: false, count: 50))
    await withCheckedContinuation { continuation in
      BlockingPool.shared.submit {
      } then: {
        #expect(EventLoop.shared.isOnLoop)
        continuation.resume()
      }
    }
  }

  @Test func aWatchOnAClosedDescriptorIsAnError() async {
    await #expect(throws: ReactorError.system(operation: "epoll_ctl", errno: EBADF)) {
      try await Task { @ReactorActor in try EventLoop.shared.watch(-1, for: .readable) { _ in } }.value
    }
  }
}
