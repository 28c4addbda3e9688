import Glibc
import Testing
import WatchwordReactor
import WatchwordTestSupport

@testable import WatchwordServer

struct IncomingDescriptorsTests {
  init() { LoopThread.started }

  private static func make(_ count: Int) -> [Int32] { (0..<count).map { _ in open("/dev/null", O_RDONLY) } }

  private static func outcome(_ count: Int, _ incoming: inout IncomingDescriptors) -> String {
    do throws(IncomingDescriptors.Shortage) {
      let claimed = try incoming.claim(count)
      for descriptor in claimed { close(descriptor) }
      return "\(claimed.count)"
    } catch {
      return "\(error)"
    }
  }

  @ReactorActor private func check(_ count: Int, _ expected: String, _ incoming: inout IncomingDescriptors) {
    let found = Self.outcome(count, &incoming)
    #expect(found == expected)
  }

  @Test @ReactorActor func eachMessageGetsItsOwn() {
    var incoming = IncomingDescriptors(of: 1)
    _ = incoming.add(Self.make(3), isIncomplete: false, endingAt: 10)
    check(2, "2", &incoming)
    check(1, "1", &incoming)
    check(1, "notSent", &incoming)
  }

  /// Two requests of one message, with three descriptors of which one came: none of them gets it.
  @Test @ReactorActor func nothingOfAMessageWithAGapIsGivenToAnother() {
    var incoming = IncomingDescriptors(of: 1)
    _ = incoming.add(Self.make(1), isIncomplete: true, endingAt: 10)
    check(2, "notReceived", &incoming)
    check(1, "notReceived", &incoming)
    incoming.closeUnclaimed(endingBy: 10)
    _ = incoming.add(Self.make(1), isIncomplete: false, endingAt: 20)
    check(1, "1", &incoming)
  }

  /// What came of a message with a gap is enough for a request that needs no more.
  @Test @ReactorActor func whatCameBeforeAGapIsGiven() {
    var incoming = IncomingDescriptors(of: 1)
    _ = incoming.add(Self.make(2), isIncomplete: false, endingAt: 5)
    _ = incoming.add(Self.make(1), isIncomplete: true, endingAt: 10)
    check(3, "3", &incoming)
    check(1, "notReceived", &incoming)
  }

  @Test @ReactorActor func aMessageWithoutDescriptorsTakesNone() {
    var incoming = IncomingDescriptors(of: 1)
    check(0, "0", &incoming)
    _ = incoming.add(Self.make(1), isIncomplete: false, endingAt: 10)
    check(0, "0", &incoming)
    check(1, "1", &incoming)
  }
}
