import Glibc
import Testing
import WatchwordReactor
import WatchwordTestSupport

@Suite(.serialized) struct EventLoopTests {
  init() { LoopThread.started }

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
    let pipe = try Pipe()
    pipe.write("x")
    let count = await withCheckedContinuation { continuation in
      var count = 0
      var watch: Watch?
      watch = try? EventLoop.shared.watch(pipe.reader, for: .readable) { interest in
        count += 1
        #expect(interest.contains(.readable))
        if count == 3 {
          watch?.cancel()
          // Nothing more may come; two further turns prove it, as a timer made by a timer waits for the next.
          _ = EventLoop.shared.schedule(after: 0) {
            _ = EventLoop.shared.schedule(after: 0) { continuation.resume(returning: count) }
          }
        }
      }
    }
    #expect(count == 3)
  }

  /// Libraries close descriptors without a word.
  @Test @ReactorActor func aWatchOfAClosedDescriptorLeavesItsSuccessorAlone() async throws {
    let old = try Pipe()
    let number = old.reader
    let stale = try EventLoop.shared.watch(number, for: .readable) { _ in Issue.record("it is closed") }
    close(number)
    let new = try Pipe()
    // The lowest free number may be another's by now.
    if new.reader != number { try #require(dup2(new.reader, number) == number) }
    let heard = try await withCheckedThrowingContinuation { continuation in
      do {
        var watch: Watch?
        watch = try EventLoop.shared.watch(number, for: .readable) { interest in
          watch?.cancel()
          continuation.resume(returning: interest)
        }
      } catch {
        continuation.resume(throwing: error)
      }
      stale.interest = []
      stale.cancel()
      new.write("x")
    }
    #expect(heard.contains(.readable))
    if new.reader != number { close(number) }
  }

  @Test @ReactorActor func aWatchCancelledByAnotherInTheSameTurnHearsNothing() async throws {
    let pipe = try Pipe()
    let duplicate = dup(pipe.reader)
    defer { close(duplicate) }
    pipe.write("x")
    let heard = await withCheckedContinuation { continuation in
      let watches = Recorded<Watch>()
      var heard = 0
      for descriptor in [pipe.reader, duplicate] {
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
    #expect(order == ["event", "end", "added"])
  }

  @Test @ReactorActor func timersThatMakeTimersLetDescriptorsBeHeard() async throws {
    let pipe = try Pipe()
    let heard = Recorded<Bool>()
    let watch = try EventLoop.shared.watch(pipe.reader, for: .readable) { _ in heard.values.append(true) }
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      @ReactorActor func again(_ left: Int) {
        guard heard.values.isEmpty, left > 0 else { return continuation.resume() }
        if left == 90 { pipe.write("x") }
        _ = EventLoop.shared.schedule(after: 0) { again(left - 1) }
      }
      again(100)
    }
    watch.cancel()
    #expect(!heard.values.isEmpty)
  }

  @Test @ReactorActor func aSlotUsedAgainDoesNotHearItsPredecessorsEvents() async throws {
    let first = try Pipe()
    let second = try Pipe()
    let third = try Pipe()
    first.write("x")
    second.write("x")
    let heard = Recorded<String>()
    let watches = Recorded<Watch>()
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      for pipe in [first, second] {
        let watch = try? EventLoop.shared.watch(pipe.reader, for: .readable) { _ in
          // Both are ready in this turn: the other one's slot is given to a pipe without data.
          for watch in watches.values { watch.cancel() }
          watches.values.removeAll()
          for _ in 0..<2 {
            let silent = try? EventLoop.shared.watch(third.reader, for: .readable) { _ in
              heard.values.append("silent pipe")
            }
            if let silent { watches.values.append(silent) }
          }
          _ = EventLoop.shared.schedule(after: 0) { continuation.resume() }
        }
        if let watch { watches.values.append(watch) }
      }
    }
    for watch in watches.values { watch.cancel() }
    #expect(heard.values.isEmpty)
  }

  @Test @ReactorActor func interestCanBeChangedWhileWatching() async throws {
    let pipe = try Pipe()
    pipe.write("x")
    let heard = Recorded<Int>()
    let watch = try EventLoop.shared.watch(pipe.reader, for: []) { _ in heard.values.append(1) }
    await nextTurn()
    await nextTurn()
    #expect(heard.values.isEmpty)
    watch.interest = .readable
    await nextTurn()
    await nextTurn()
    #expect(!heard.values.isEmpty)
    watch.cancel()
  }

  @Test @ReactorActor func theOtherEndGoneIsReportedAsHangUp() async throws {
    let pipe = try Pipe()
    let interest = await withCheckedContinuation { continuation in
      var watch: Watch?
      watch = try? EventLoop.shared.watch(pipe.reader, for: []) { interest in
        watch?.cancel()
        continuation.resume(returning: interest)
      }
      pipe.closeWriter()
    }
    #expect(interest.contains(.hangUp))
  }

  @Test @ReactorActor func signalsArriveOnTheLoop() async throws {
    let received = await withCheckedContinuation { continuation in
      try? EventLoop.shared.onSignals([SIGUSR1]) { number in
        #expect(EventLoop.shared.isOnLoop)
        continuation.resume(returning: number)
      }
      // To this thread, which has them blocked now; the others of a test process have not.
      pthread_kill(pthread_self(), SIGUSR1)
    }
    #expect(received == SIGUSR1)
  }

  @Test func aSecondThreadCannotRunTheLoop() async {
    await nextTurn()
    EventLoop.shared.run()
    #expect(!EventLoop.shared.isOnLoop)
  }

  @Test func aWatchOnAClosedDescriptorIsAnError() async {
    await #expect(throws: ReactorError.system(operation: "epoll_ctl", errno: EBADF)) {
      try await Task { @ReactorActor in try EventLoop.shared.watch(-1, for: .readable) { _ in } }.value
    }
  }
}
