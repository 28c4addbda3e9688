import Glibc
import Testing

@testable import WatchwordServer

struct SystemCallTests {
  /// What is returned of a call that has these results, with these errors, and how many were used.
  private static func outcome(_ results: [(Int, Int32)]) -> (result: Int, calls: Int) {
    var calls = 0
    let result = SystemCall.uninterrupted {
      defer { calls += 1 }
      errno = results[calls].1
      return results[calls].0
    }
    return (result, calls)
  }

  @Test func aCallThatASignalHasInterruptedIsMadeAgain() {
    #expect(Self.outcome([(-1, EINTR), (-1, EINTR), (7, 0), (8, 0)]) == (7, 3))
    #expect(Self.outcome([(-1, EINTR), (-1, EAGAIN), (8, 0)]) == (-1, 2))
  }

  /// A result says nothing about the error of an earlier call.
  @Test func aResultCountsWhateverTheErrorIs() {
    #expect(Self.outcome([(0, EINTR), (8, 0)]) == (0, 1))
    #expect(Self.outcome([(5, EINTR), (8, 0)]) == (5, 1))
    #expect(Self.outcome([(-1, EPIPE), (8, 0)]) == (-1, 1))
  }
}
