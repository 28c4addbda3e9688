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

private final class Done: Sendable {
  let numbers = Locked<[Int]>([])
}
