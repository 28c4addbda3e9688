import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// Between which elements a separator may be missing, and what a fault takes with it (challenges.md 6.1).
struct ChallengeDoubtTests {
  /// `scheme name=<value> …` of the challenges, parted by ` | `.
  private static func read(_ field: String) -> String {
    ChallengeHeaderParser.parse([OctetString(field)]).map { challenge in
      ([challenge.scheme] + challenge.parameters.map { "\($0.name)=<\($0.value)>" }).joined(separator: " ")
    }.joined(separator: " | ")
  }

  @Test(arguments: [
    // A semicolon may part two challenges, a space may not.
    ("Bearer; Basic", "bearer | basic"), ("Bearer Basic", "bearer"),
    // Nothing ends the first value, so that the second one is none.
    (#"Digest realm="r"nonce="n", Basic realm="b""#, "basic realm=<b>"),
    (#"Basic realm="r"charset="UTF-8""#, "basic"),
    // A quote ends a value for certain, and a comma does; a space after a word does not.
    (#"Basic realm="r" =x"#, "basic realm=<r>"), ("Basic realm=r, =x", "basic realm=<r>"),
    ("Basic realm=r =x", "basic"),
    // An apostrophe that is not closed is part of one word only.
    ("Basic realm='two words", "basic"), ("Basic realm='word", "basic realm=<'word>"),
    ("Basic realm='two words'", "basic realm=<'two words'>"),
  ])
  func whatIsInDoubtIsLeftOut(field: String, challenges: String) {
    #expect(Self.read(field) == challenges, "\(field)")
  }

  /// What does not fit is dropped, and nothing is written behind the room that there is.
  @Test func aWriterStopsWhereItsRoomEnds() {
    var bytes: [UInt8] = [0, 0, 0]
    let position = bytes.withUnsafeMutableBytes { target -> Int in
      var writer = AuthorizationWriter(UnsafeMutableRawBufferPointer(rebasing: target[..<2]))
      for byte: UInt8 in [1, 2, 3] { writer.append(byte) }
      return writer.position
    }
    #expect(position == 2 && bytes == [1, 2, 0])
  }
}
