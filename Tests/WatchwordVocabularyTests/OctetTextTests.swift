import Testing
import WatchwordVocabulary

/// Octets that need not be UTF-8, as a `String` that loses none.
@Suite struct OctetTextTests {
  private static let texts: [[UInt8]] = [
    [], Array("café".utf8), [0x63, 0xE9], [0xC3], [0xC3, 0xA9, 0xC3], [0xED, 0xA0, 0x80],
    [0xF4, 0x90, 0x80, 0x80],
    [0xE9, 0x80], [0xFF, 0xFE], Array("\u{10FFE9}".utf8), Array("\u{10FF7F}\u{10FFFF}".utf8),
    Array(0x80...0xFF),
  ]

  @Test(arguments: texts) func everyOctetComesBack(_ octets: [UInt8]) {
    #expect(OctetText.octets(of: OctetText.text(of: octets)) == octets)
    #expect(OctetText.cString(OctetText.text(of: octets)).dropLast().map { UInt8(bitPattern: $0) } == octets)
  }

  /// An octet and the scalar that stands for it are two texts.
  @Test func twoArgumentsAreTwoTexts() {
    let texts = Set(Self.texts.map { OctetText.text(of: $0).unicodeScalars.map(\.value) } + [[0x63, 0xFFFD]])
    #expect(texts.count == Self.texts.count + 1)
  }

  @Test func aTextIsPlainIfItsOctetsAreUTF8() {
    for octets in Self.texts {
      #expect(OctetText.plain(OctetText.text(of: octets)) == String(validating: octets, as: UTF8.self))
    }
  }

  @Test func anOctetIsShownByItsDigits() {
    #expect(DisplayText.escaped(OctetText.text(of: [0x63, 0xE9])) == #"c\xE9"#)
  }
}
