/// Checks whether a body may be sent as text: UTF-8 by RFC 3629 (no overlong forms, no surrogates, nothing
/// beyond U+10FFFF), and without U+0000, which JSON parsers refuse, ours among them.
package enum TextCheck {
  package static func isText(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var index = 0
    let count = bytes.count
    while index < count {
      // Most bodies are ASCII: eight bytes at a time.
      while index + 8 <= count, isASCII(bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)) {
        index += 8
      }
      guard index < count else { return true }
      let length = sequenceLength(bytes, index)
      guard length > 0 else { return false }
      index += length
    }
    return true
  }

  /// Whether a JSON string more than doubles the text: it has six bytes for most control characters.
  package static func isBloated(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count > smallBytes else { return false }
    // Five more for each of them.
    let most = bytes.count / 5
    var found = 0
    for byte in bytes where isEscapedByCode(byte) {
      found += 1
      if found > most { return true }
    }
    return false
  }

  /// Texts up to here stay texts, for those who read them.
  private static let smallBytes = 4096

  private static func isEscapedByCode(_ byte: UInt8) -> Bool {
    (byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D) || byte == 0x7F
  }

  /// Whether each of eight bytes is from 1 to 127: any other has its top bit set, or gets it when one is
  /// subtracted. A borrow out of a zero byte can only add to that.
  private static func isASCII(_ word: UInt64) -> Bool {
    (word | (word &- 0x0101_0101_0101_0101)) & 0x8080_8080_8080_8080 == 0
  }

  /// Bytes of the character at `index`; 0 when it is invalid.
  private static func sequenceLength(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> Int {
    let first = bytes[index]
    func continues(_ offset: Int, in range: ClosedRange<UInt8> = 0x80...0xBF) -> Bool {
      index + offset < bytes.count && range.contains(bytes[index + offset])
    }
    switch first {
    case 0x01...0x7F: return 1
    case 0xC2...0xDF: return continues(1) ? 2 : 0
    case 0xE0: return continues(1, in: 0xA0...0xBF) && continues(2) ? 3 : 0
    case 0xED: return continues(1, in: 0x80...0x9F) && continues(2) ? 3 : 0
    case 0xE1...0xEF: return continues(1) && continues(2) ? 3 : 0
    case 0xF0: return continues(1, in: 0x90...0xBF) && continues(2) && continues(3) ? 4 : 0
    case 0xF1...0xF3: return continues(1) && continues(2) && continues(3) ? 4 : 0
    case 0xF4: return continues(1, in: 0x80...0x8F) && continues(2) && continues(3) ? 4 : 0
    default: return 0
    }
  }
}
