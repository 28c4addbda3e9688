import Testing
import WatchwordCore
import WatchwordVocabulary

/// Where words, comments and quotes begin, and which line a fault is on.
struct NetrcLinesTests {
  private static func passwords(_ text: String) throws -> [String] {
    try Netrc(text: Secret(text.utf8)).entries.map { entry in
      entry.password.withBytes { String(decoding: $0, as: UTF8.self) }
    }
  }

  @Test func aCommentOnALaterLineIsNoUnknownWord() throws {
    let text = "machine a login me password pw\n# of mine\n  # another\nmachine b login you password x\n"
    #expect(try Netrc(text: Secret(text.utf8)).unknownLines == [])
    #expect(try Self.passwords(text) == ["pw", "x"])
  }

  @Test func aCommentMayStandBeforeAValue() throws {
    #expect(try Self.passwords("machine a login me password\n# it\n  # follows\n pw") == ["pw"])
    #expect(try Self.passwords("machine a login me password #pw") == ["#pw"])
  }

  /// The meaning of a letter after a backslash is not that of the letter alone.
  @Test(arguments: [(#""next""#, "next"), (#""\next""#, "\next"), (#""\"x""#, "\"x"), (#""""#, "")])
  func theFirstLetterInQuotesIsItself(word: String, password: String) throws {
    #expect(try Self.passwords("machine a login me password \(word)") == [password])
    let followed = "machine a login me password \(word) machine b login you password y"
    #expect(try Self.passwords(followed) == [password, "y"])
  }

  @Test func theLinesOfAMacroCount() {
    do throws(NetrcFault) {
      _ = try Netrc(text: Secret("macdef init\na\nb\n\nlogin x".utf8))
      Issue.record("the login has no machine")
    } catch {
      #expect(error.line == 5)
    }
  }
}
