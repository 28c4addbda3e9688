import Testing
import WatchwordMessages
import WatchwordProtocol

@Suite struct TextCheckTests {
  private func isText(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes(TextCheck.isText) }

  @Test func aBodyOfTextIsText() {
    for text in ["", "a", "é", "世", "😀", "\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}", "\u{FEFF}x"] {
      #expect(isText(Array(text.utf8)))
      #expect(isText(Array(String(repeating: text, count: 9).utf8)))
    }
  }

  @Test(
    arguments: [
      [0x00], [0xC3, 0xA9, 0x00], [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xC2, 0x7F],
      [0xC2, 0xC0], [0xE0, 0x9F, 0xBF],
      [0xE0, 0xA0], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x90, 0x80],
      [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFE], [0xFF],
      [0xE4, 0xB8, 0x96, 0xE4],
    ] as [[UInt8]]) func whatIsNoTextIsFoundWhereverItStands(_ bytes: [UInt8])
  {
    for padding in 0...17 {
      let ascii = [UInt8](repeating: 0x61, count: padding)
      #expect(!isText(ascii + bytes))
      #expect(!isText(ascii + bytes + ascii + [0x61]))
    }
  }

  /// Every pair and, by a sample, every triple of bytes, as the standard library judges them.
  @Test func theVerdictIsTheStandardLibrarysButForZeroBytes() {
    func check(_ bytes: [UInt8]) {
      let isValid = String(validating: bytes, as: UTF8.self) != nil && !bytes.contains(0)
      if isText(bytes) != isValid { Issue.record("\(bytes)") }
    }
    for first in UInt8.min...UInt8.max {
      for second in UInt8.min...UInt8.max {
        check([first, second])
        check([first, second, 0x80])
        check([first, second, 0xBF, 0x80])
      }
    }
  }
}
