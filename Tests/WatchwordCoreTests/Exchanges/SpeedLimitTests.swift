import Testing

@testable import WatchwordCore

@Suite struct SpeedLimitTests {
  @Test func theFirstPieceGoesAtOnce() {
    let limit = SpeedLimit(bytesPerSecond: 1000)
    #expect(limit.seconds(at: 5) == nil)
  }

  @Test func theNextOneWaitsForThoseBefore() {
    var limit = SpeedLimit(bytesPerSecond: 1000)
    limit.note(500, at: 5)
    #expect(limit.seconds(at: 5) == 0.5)
    #expect(limit.seconds(at: 5.25) == 0.25)
    #expect(limit.seconds(at: 5.5) == nil)
    limit.note(1000, at: 5.25)
    #expect(limit.seconds(at: 5.5) == 1, "one that went early is added")
  }

  @Test func nothingIsMadeUpFor() {
    var limit = SpeedLimit(bytesPerSecond: 1000)
    limit.note(1000, at: 0)
    limit.note(1000, at: 100)
    #expect(limit.seconds(at: 100) == 1)
  }

  @Test(arguments: [(1024, 4096, 1024), (1 << 40, 4096, 4096), (4096, 4096, 4096)] as [(Int64, Int, Int)])
  func aPieceIsOfOneSecond(_ speed: Int64, _ buffer: Int, _ expected: Int) {
    #expect(SpeedLimit(bytesPerSecond: speed).pieceBytes(atMost: buffer) == expected)
  }
}
