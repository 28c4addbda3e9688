import Testing
import WatchwordVocabulary

/// How text is spelled and compared.
@Suite struct TextTests {
  @Test func onlyASCIILettersAreLowered() {
    for byte in UInt8.min...UInt8.max {
      let isUpper = ("A"..."Z").contains(Character(Unicode.Scalar(byte)))
      #expect(ASCIICase.lower(byte) == (isUpper ? byte + 32 : byte))
      #expect(ASCIICase.isLetter(byte) == (isUpper || ("a"..."z").contains(Character(Unicode.Scalar(byte)))))
    }
    #expect("CONTENT-Length".asciiLowercased == "content-length")
  }

  /// Swift lowers the Kelvin sign to a `k`: a field, a host or a parameter would be taken for another one.
  @Test func theKelvinSignIsNoLetter() {
    #expect("\u{212A}ey".lowercased() == "key")
    #expect("\u{212A}ey".asciiLowercased == "\u{212A}ey")
    #expect(!ASCIICase.matches("\u{212A}".utf8, "k".utf8))
  }

  @Test func aNameMatchesInAnyCaseAndAtItsWholeLengthOnly() {
    #expect(ASCIICase.matches("HoSt".utf8, "host".utf8) && "HoSt".matchesASCIICase(of: "host"))
    #expect(!"hos".matchesASCIICase(of: "host") && !"host".matchesASCIICase(of: "hosT"))
    #expect("WWW-Authenticate-Longer".matchesASCIICase(of: "www-authenticate-longer"))
    #expect(!ASCIICase.matches("hos".utf8, "host".utf8) && !ASCIICase.matches("hosts".utf8, "host".utf8))
    // `[` and `{` differ in the bit that makes a letter lower.
    #expect(!ASCIICase.matches("[".utf8, "{".utf8))
  }

  @Test func textsAreTheSameByTheirBytes() {
    #expect(
      "".hasBytes(of: "")
        && "a long text beyond sixteen bytes".hasBytes(of: "a long text beyond sixteen bytes"))
    #expect(!"a".hasBytes(of: "b") && !"a".hasBytes(of: "aa"))
    #expect("\u{E9}" == "e\u{301}" && !"\u{E9}".hasBytes(of: "e\u{301}"))
  }

  @Test func aTextContainsAnotherByItsBytes() {
    for part in ["", "a", "abc", "abcd", "bcd", "cd", "d"] { #expect("abcd".containsBytes(of: part)) }
    for other in ["e", "abcde", "ac", "B", "\u{301}"] { #expect(!"abcd".containsBytes(of: other)) }
    #expect("".containsBytes(of: "") && !"".containsBytes(of: "a"))
    #expect("e\u{301}".containsBytes(of: "e") && !"\u{E9}".containsBytes(of: "e"))
    #expect("aab".containsBytes(of: "ab"))
  }

  @Test func everyByteHasTwoDigits() {
    let bytes = Array(UInt8.min...UInt8.max)
    let text = bytes.withUnsafeBytes { Hexadecimal.text($0) }
    #expect(text.hasPrefix("000102") && text.hasSuffix("fdfeff") && text.utf8.count == 512)
    #expect(Hexadecimal.upperPair(0xAF) == Array("AF".utf8))
    let values = text.utf8.compactMap { Hexadecimal.value(ofDigit: $0) }
    #expect(bytes.map { [$0 >> 4, $0 & 15] }.flatMap(\.self) == values)
  }

  @Test func whatIsNoDigitHasNoValue() {
    for text in ["g", "G", "/", ":", "@", "`", " ", "\u{0}"] {
      #expect(text.utf8.allSatisfy { Hexadecimal.value(ofDigit: $0) == nil })
    }
    #expect("fF".utf8.map { Hexadecimal.value(ofDigit: $0) } == [15, 15])
  }

  @Test(arguments: ["", "plain", #"a "quote" and a \ "#, "\\", "é"])
  func aQuotedStringIsReadAsItWasWritten(_ text: String) {
    var written: [UInt8] = []
    QuotedString.write(text.utf8) { written.append($0) }
    #expect(written.count == QuotedString.count(of: text))
    let bytes = Array("\"".utf8) + written + Array("\", next".utf8)
    var position = 0
    #expect(QuotedString.read(bytes, at: &position).map(Array.init) == Array(text.utf8))
    #expect(position == written.count + 2)
  }

  @Test(arguments: ["\"", "\"open", "\"ends with \\", "\"a\u{0}\"", "\"a\nb\"", "\"a\\\u{7F}\""])
  func whatDoesNotEndOrHasAControlCharacterIsNoQuotedString(_ text: String) {
    var position = 0
    #expect(QuotedString.read(Array(text.utf8), at: &position) == nil)
  }
}
