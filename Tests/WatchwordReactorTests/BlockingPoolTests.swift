import Glibc
import Testing
internal import WatchwordPrimitives
import WatchwordReactor
import WatchwordTestSupport

@Suite(.serialized) struct BlockingPoolTests {
  init() { LoopThread.started }

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

  @Test func workIsDoneInTheOrderInWhichItCame() async {
    let pool = BlockingPool(threads: 1)
    let done = Done()
    for index in 0..<1000 {
      pool.submit {
        done.numbers.withLock { $0.append(index) }
      } then: {
      }
    }
    await pool.run {}
    #expect(done.numbers.withLock { $0 } == Array(0..<1000))
  }

  @Test func blockedWorkDoesNotHoldUpTheOtherThread() async {
    let pool = BlockingPool(threads: 2)
    let ends = await Task { @ReactorActor in try? Pipe() }.value
    guard let ends else { return }
    let reader = ends.reader
    async let blocked = pool.run {
      var byte: UInt8 = 0
      return read(reader, &byte, 1)
    }
    // Only when this has been done is the first let go.
    await pool.run {}
    await ends.write("x")
    #expect(await blocked == 1)
  }
}

@Suite(.serialized) struct WorkLanesTests {
  init() { LoopThread.started }

  /// Both places of one lane are held; a third piece of its work waits, and another lane's does not.
  @Test func whoHangsDelaysNoOther() async {
    let lanes = WorkLanes(threads: 8, width: 2)
    let ends = await Task { @ReactorActor in try? Pipe() }.value
    guard let ends else { return }
    let reader = ends.reader
    let done = Done()
    let order = await withCheckedContinuation { (continuation: CheckedContinuation<[Int], Never>) in
      Task { @ReactorActor in
        for number in 1...3 {
          lanes.submit(in: 1) {
            var byte: UInt8 = 0
            _ = number < 3 ? read(reader, &byte, 1) : 0
          } then: {
            let numbers = done.numbers.withLock { numbers in
              numbers.append(number < 3 ? 1 : 3)
              return numbers
            }
            if numbers.count == 4 { continuation.resume(returning: numbers) }
          }
        }
        lanes.submit(in: 2) {
        } then: {
          done.numbers.withLock { $0.append(2) }
          ends.write("xy")
        }
      }
    }
    #expect(order.first == 2 && order.sorted() == [1, 1, 2, 3])
  }

  @Test func whatWaitsInALaneIsDone() async {
    let lanes = WorkLanes(threads: 8, width: 2)
    let done = Done()
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      Task { @ReactorActor in
        for number in 0..<1000 {
          lanes.submit(in: 7) {
          } then: {
            let count = done.numbers.withLock { numbers in
              numbers.append(number)
              return numbers.count
            }
            if count == 1000 { continuation.resume() }
          }
        }
      }
    }
    #expect(done.numbers.withLock { $0.sorted() } == Array(0..<1000))
  }
}

private final class Done: Sendable {
  let numbers = Locked<[Int]>([])
}
