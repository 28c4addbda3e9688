import Testing
import WatchwordReactor

struct LaneOrderTests {
  private struct Work: Equatable {
    let account: UInt32
    let fileSystem: UInt64
    let number: Int
  }

  /// What begins, and when.
  private struct Scene {
    var order = LaneOrder<Work>(laneWidth: 2, accountWidth: 8)
    var begun: [Work] = []

    /// Whether it began at once.
    @discardableResult
    mutating func add(_ account: UInt32, _ fileSystem: UInt64, _ number: Int = 0) -> Bool {
      let work = Work(account: account, fileSystem: fileSystem, number: number)
      let first = order.add(work, account: account, lane: fileSystem)
      if let first { begun.append(first) }
      return first == work
    }

    /// What began after it.
    @discardableResult
    mutating func end(_ account: UInt32, _ fileSystem: UInt64) -> [Work] {
      let next = order.ended(account: account, lane: fileSystem)
      begun += next
      return next
    }
  }

  @Test func whatHangsOnManyFileSystemsOfOneAccountLeavesRoomForOthers() {
    var scene = Scene()
    for fileSystem in 0..<32 as Range<UInt64> {
      for number in 0..<2 { scene.add(1, fileSystem, number) }
    }
    #expect(scene.begun.count == 8)
    let begins = (other: scene.add(2, 100), itself: scene.add(1, 100))
    #expect(begins == (true, false))
  }

  @Test func whatHangsOnOneFileSystemLeavesRoomElsewhere() {
    var scene = Scene()
    for number in 0..<20 { scene.add(1, 7, number) }
    #expect(scene.begun.map(\.number) == [0, 1])
    let begins = (elsewhere: scene.add(1, 8), there: scene.add(2, 7))
    #expect(begins == (true, false))
  }

  @Test func accountsTakeTurnsOnAFileSystem() {
    var scene = Scene()
    for number in 0..<4 { scene.add(1, 7, number) }
    for number in 0..<2 { scene.add(2, 7, number) }
    let next = (0..<4).flatMap { _ in scene.end(scene.begun[0].account, 7) }
    #expect(next.map(\.account) == [1, 2, 1, 2])
    #expect(next.map(\.number) == [2, 0, 3, 1])
  }

  /// It would keep the place from another account.
  @Test func whatWaitsForItsAccountHoldsNoFileSystem() {
    var scene = Scene()
    for fileSystem in 0..<4 as Range<UInt64> {
      for number in 0..<2 { scene.add(1, fileSystem, number) }
    }
    let begins = [1, 1, 2, 2].map { scene.add($0, 9) }
    #expect(begins == [false, false, true, true])
    // The account has a place, and the file system has none.
    let first = scene.end(1, 0)
    #expect(first == [])
    let second = scene.end(2, 9)
    #expect(second == [Work(account: 1, fileSystem: 9, number: 0)])
  }

  /// In the order of each account and file system, within both bounds, and never less than there is room for.
  @Test(arguments: 0..<20 as Range<UInt64>) func everythingBeginsOnce(_ seed: UInt64) {
    var generator = Generator(state: seed + 1)
    var scene = Scene()
    var added = 0
    var done = 0
    while added < 400 || done < added {
      if added < 400, Bool.random(using: &generator) {
        scene.add(.random(in: 0..<4, using: &generator), .random(in: 0..<9, using: &generator), added)
        added += 1
      } else if done < scene.begun.count {
        let ended = scene.begun[done]
        done += 1
        scene.end(ended.account, ended.fileSystem)
      }
      let running = scene.begun[done...]
      for work in running {
        #expect(running.count { $0.fileSystem == work.fileSystem } <= 2)
        #expect(running.count { $0.account == work.account } <= 8)
      }
      if running.isEmpty { #expect(scene.begun.count == added) }
    }
    #expect(scene.begun.map(\.number).sorted() == Array(0..<400))
    for lane in Dictionary(grouping: scene.begun, by: { "\($0.account) \($0.fileSystem)" }).values {
      #expect(lane.map(\.number) == lane.map(\.number).sorted())
    }
  }

  /// The same numbers each time.
  private struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ state >> 29
    }
  }
}
