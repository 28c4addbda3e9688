import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// What a source gave and the server refused is not sent again, and the pauses between readings grow (storage.md
/// 9.7.9).
struct RefusedSourceTests {
  private static func mark(_ password: String) -> CredentialMark {
    CredentialMark(.password(user: "joe", password: Secret(password.utf8)))
  }

  /// When readings happen that are tried each second, each giving what `gives` says.
  private static func readings(_ gives: (Int) -> String) -> [Int] {
    var source = RefusedSource(mark("x"))
    source.note(refused: mark("x"), now: 0)
    var read: [Int] = []
    for second in 0..<200 where source.mayRead(now: Double(second)) {
      read.append(second)
      let given = mark(gives(read.count))
      source.note(given: given, now: Double(second))
      source.note(refused: given, now: Double(second))
    }
    return read
  }

  @Test func thePausesGrowWhileItGivesTheSame() {
    #expect(Self.readings { _ in "x" } == [0, 5, 15, 35, 75, 155])
  }

  @Test func thePausesGrowWhileWhatItGivesIsRefused() {
    #expect(Self.readings { "\($0)" } == [0, 5, 15, 35, 75, 155])
  }

  @Test func somethingElseIsSent() {
    var source = RefusedSource(Self.mark("x"))
    source.note(refused: Self.mark("x"), now: 0)
    #expect(source.hasRefused(Self.mark("x")))
    source.note(given: Self.mark("y"), now: 0)
    #expect(!source.hasRefused(Self.mark("y")))
  }

  @Test func theRefusalOfAnotherCredentialIsNone() {
    var source = RefusedSource(Self.mark("x"))
    source.note(refused: Self.mark("y"), now: 0)
    #expect(!source.hasRefused(Self.mark("x")) && source.mayRead(now: 0))
  }

  @Test func anotherTryIsOneAndDoesNotShortenThePauses() {
    var source = RefusedSource(Self.mark("x"))
    source.note(refused: Self.mark("x"), now: 0)
    for second in [0.0, 5] { source.note(given: Self.mark("x"), now: second) }
    #expect(source.pause(now: 6) == 9)
    source.retry()
    #expect(source.mayRead(now: 6) && !source.hasRefused(Self.mark("x")))
    source.note(given: Self.mark("x"), now: 6)
    source.note(refused: Self.mark("x"), now: 6)
    #expect(source.pause(now: 6) == 20)
  }
}
