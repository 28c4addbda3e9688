import Glibc
import Synchronization
import Testing
import WatchwordReactor
import WatchwordTestSupport

@Suite(.serialized) struct JobTests {
  init() { LoopThread.started }

  @Test @ReactorActor func isolatedCodeRunsOnTheLoop() {
    #expect(EventLoop.shared.isOnLoop)
    #expect(assumeOnLoop { EventLoop.shared.isOnLoop })
  }

  @Test func otherThreadsAreNotTheLoop() {
    #expect(!EventLoop.shared.isOnLoop)
  }

  @Test @ReactorActor func aCallbackFromCIsIsolated() {
    Touched.count = 0
    var numbers: [Int32] = [3, 1, 2]
    qsort(&numbers, 3, 4) { left, right in
      let difference =
        (left?.load(as: Int32.self) ?? 0) - (right?.load(as: Int32.self) ?? 0)
      assumeOnLoop { Touched.count += 1 }
      return difference
    }
    #expect(numbers == [1, 2, 3])
    #expect(Touched.count >= 2)
  }

  /// Work begins where it is asked for, and goes on in the turn in which it gets what it waits for, on the loop's thread.
  @Test @ReactorActor func workBeginsAtOnceAndGoesOnInTheSameTurn() async {
    let said = Recorded<String>()
    var pass: (@ReactorActor (Int) -> Void)?
    Task { @ReactorActor in said.values.append("job") }
    EventLoop.shared.begin {
      said.values.append("begun")
      let number = await completion { pass = $0 }
      said.values.append("\(number) \(EventLoop.shared.isOnLoop) \(EventLoop.shared.turns)")
    }
    #expect(said.values == ["begun"])
    // The turn in which it is passed is this one.
    await withCheckedContinuation { continuation in
      _ = EventLoop.shared.schedule(after: 0) {
        pass?(7)
        said.values.append("passed \(EventLoop.shared.turns)")
        EventLoop.shared.atEndOfTurn { continuation.resume() }
      }
    }
    let turn = said.values.last?.split(separator: " ").last ?? ""
    #expect(said.values == ["begun", "job", "passed \(turn)", "7 true \(turn)"])
  }

  /// Each begins at once, and may end at once or later; what follows comes once, and last.
  @Test(arguments: [[], [true], [false], [true, true], [false, false], [true, false, true]])
  @ReactorActor func whatBelongsTogetherEndsTogether(_ endsAtOnce: [Bool]) async {
    let said = Recorded<String>()
    var later: [@ReactorActor () -> Void] = []
    EventLoop.shared.begin {
      await joinAll(endsAtOnce) { isAtOnce in
        said.values.append("begun")
        if !isAtOnce { await completion { later.append($0) } }
      }
      said.values.append("ended")
    }
    let begun = endsAtOnce.map { _ in "begun" }
    #expect(said.values == (later.isEmpty ? begun + ["ended"] : begun))
    for (index, end) in later.enumerated() {
      #expect(said.values == begun, "\(index) have ended")
      end()
      for _ in 0..<8 { await Task.yield() }
    }
    #expect(said.values == begun + ["ended"])
  }

  /// What is there at once is not waited for.
  @Test @ReactorActor func workWithinWorkBeginsAtOnce() async {
    let said = Recorded<String>()
    await withCheckedContinuation { continuation in
      EventLoop.shared.begin {
        EventLoop.shared.begin {
          said.values.append("inner")
          let text = await completion { $0("at once") }
          said.values.append(text)
        }
        said.values.append("outer")
        continuation.resume()
      }
    }
    #expect(said.values == ["inner", "at once", "outer"])
  }

  @Test func jobsOfManyThreadsAllRunOnTheLoop() async {
    let sum = Recorded<Int>()
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<16 {
        group.addTask {
          for index in 0..<500 {
            await Task { @ReactorActor in
              #expect(EventLoop.shared.isOnLoop)
              sum.values.append(thread * 1000 + index)
            }.value
          }
        }
      }
    }
    let values = await sum.values
    #expect(values.count == 8000)
    for thread in 0..<16 {
      let own = values.filter { $0 / 1000 == thread }
      #expect(own == own.sorted())
    }
  }

  @Test @ReactorActor func tenThousandWaitersAllGoOn() async {
    let resumed = Recorded<Int>()
    let waiters = Recorded<CheckedContinuation<Void, Never>>()
    var tasks: [Task<Void, Never>] = []
    for index in 0..<10_000 {
      tasks.append(
        Task { @ReactorActor in
          await withCheckedContinuation { waiters.values.append($0) }
          resumed.values.append(index)
        })
    }
    while waiters.values.count < 10_000 { await nextTurn() }
    for waiter in waiters.values { waiter.resume() }
    for task in tasks { await task.value }
    #expect(resumed.values.count == 10_000)
  }

  @Test @ReactorActor func jobsThatMakeJobsLetDescriptorsAndTimersBeHeard() async throws {
    let pipe = try Pipe()
    pipe.write("x")
    let heard = Recorded<String>()
    let watch = try EventLoop.shared.watch(pipe.reader, for: .readable) { _ in heard.values.append("watch") }
    _ = EventLoop.shared.schedule(after: 0) { heard.values.append("timer") }
    var steps = 0
    while Set(heard.values).count < 2, steps < 100_000 {
      steps += 1
      // A job that is in line again as soon as it has run.
      await Task.yield()
    }
    watch.cancel()
    #expect(Set(heard.values) == ["watch", "timer"])
  }

  /// In a process of its own: here other tests use the same loop.
  @Test func nothingWakesTheLoopWhileThereIsNothingToDo() async {
    await #expect(processExitsWith: .success) {
      LoopThread.started
      let turns = await Task { @ReactorActor in
        await nextTurn()
        return await withCheckedContinuation { continuation in
          let before = EventLoop.shared.turns
          _ = EventLoop.shared.schedule(after: 0.2) {
            continuation.resume(returning: EventLoop.shared.turns - before)
          }
        }
      }.value
      // The timer's own turn, and one more where a wait ends a little early.
      #expect(turns <= 2)
    }
  }

  @Test func isolationThatIsNotThereStopsTheProcess() async {
    await #expect(processExitsWith: .failure) {
      assumeOnLoop { Touched.count += 1 }
    }
  }
}

@ReactorActor private enum Touched {
  static var count = 0
}
