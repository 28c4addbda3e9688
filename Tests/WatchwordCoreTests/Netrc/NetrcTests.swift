import Testing
import WatchwordCore
import WatchwordVocabulary

@Suite struct NetrcTests {
  private static func read(_ text: String) throws(NetrcFault) -> [String] {
    try Netrc(text: Secret(text.utf8)).entries.map { entry in
      let password = entry.password.withBytes { String(decoding: $0, as: UTF8.self) }
      return "\(entry.machine) \(entry.user) \(password)"
    }
  }

  @Test func wordsMayStandOnAnyLine() throws {
    #expect(try Self.read("") == [])
    #expect(try Self.read("machine A.test login me password pw") == ["a.test me pw"])
    #expect(
      try Self.read("machine a\n\tlogin me\r\n\tpassword pw\nmachine b login you password x") == [
        "a me pw", "b you x",
      ])
    #expect(try Self.read("# who\nmachine a password #pw account x login me\n  # end") == ["a me #pw"])
  }

  @Test func commentsMayFollowAnEntryAndAMarkMayBegin() throws {
    let text =
      "\u{FEFF}# of mine\nmachine a login me password pw # login no\n machine b # it\n login you password #x\n"
    #expect(try Self.read(text) == ["a me pw", "b you #x"])
    #expect(try Self.read("\u{FEFF}machine a login me password pw #") == ["a me pw"])
  }

  @Test func quotedWordIsReadAsCurlReadsIt() throws {
    #expect(try Self.read(#"machine a login "a user" password "p\"\\\n\t\x""#) == ["a a user p\"\\\n\tx"])
    #expect(try Self.read("machine a login me password \"\"") == ["a me "])
  }

  @Test func macroReachesToTheEmptyLine() throws {
    let text =
      "machine a login me password pw\nmacdef init\nmachine no login no password no\n\nmachine b login you password x\n"
    #expect(try Self.read(text) == ["a me pw", "b you x"])
    #expect(try Self.read("macdef x\nbin") == [])
  }

  @Test func entryWithoutAMachineOrAPasswordIsLeftOut() throws {
    #expect(try Self.read("machine a login me machine b password pw default login x password y") == [])
  }

  @Test func unknownWordsArePassedOverAndTheirLinesNamed() throws {
    let text = "protocol x\nmachine a port 80\n login me\npasswort pw\npassword pw"
    #expect(try Self.read(text) == ["a me pw"])
    #expect(try Netrc(text: Secret(text.utf8)).unknownLines == [1, 2, 4])
    let many = Secret(String(repeating: "x\n", count: 1000).utf8)
    #expect(try Netrc(text: many).unknownLines == Array(1...16))
  }

  @Test(arguments: [
    ("machine", NetrcFault.Kind.valueMissing, 1), ("login me", .outsideMachine, 1),
    ("machine a login \"x", .openQuote, 1),
    ("machine a login me\n\npassword", .valueMissing, 3), ("machine a login x\u{1}y", .notText, 1),
    ("machine a \u{1}", .notText, 1), ("machine \"a\nb\"", .notText, 2),
  ])
  func malformedTextIsRefused(text: String, kind: NetrcFault.Kind, line: Int) {
    #expect(throws: NetrcFault.self) { try Self.read(text) }
    do { _ = try Self.read(text) } catch { #expect((error.kind, error.line) == (kind, line)) }
  }
}
