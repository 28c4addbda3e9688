internal import WatchwordPrimitives

/// The inside of a JSON string (RFC 8259 §7).
///
/// Most strings need no escape: eight bytes are looked at at a time, and what stands between two escapes is
/// copied at once. DEL is escaped as well, for terminals that show a text as it came.
enum JSONEscapes {
  static func append(_ text: UnsafeRawBufferPointer, to bytes: inout WipedBytes) {
    var start = 0
    while start < text.count {
      let found = next(in: text, from: start)
      if start < found {
        bytes.append(UnsafeRawBufferPointer(rebasing: text[start..<found]))
      }
      guard found < text.count else { return }
      append(escaped: text[found], to: &bytes)
      start = found + 1
    }
  }

  /// The first byte from `start` on that may not stand for itself; the end when there is none.
  private static func next(in text: UnsafeRawBufferPointer, from start: Int) -> Int {
    var index = start
    while index + 8 <= text.count {
      let word = text.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      if hasEscape(word) { break }
      index += 8
    }
    while index < text.count, !needsEscape(text[index]) { index += 1 }
    return index
  }

  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F
  }

  /// Whether one of eight bytes needs an escape. Never misses one: borrows can only add a false alarm,
  /// which costs a look at the single bytes.
  private static func hasEscape(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let tops: UInt64 = 0x8080_8080_8080_8080
    let control = (word &- ones &* 0x20) & ~word
    let quote = zeroByte(word ^ (ones &* 0x22))
    let backslash = zeroByte(word ^ (ones &* 0x5C))
    let delete = zeroByte(word ^ (ones &* 0x7F))
    return (control | quote | backslash | delete) & tops != 0
  }

  private static func zeroByte(_ word: UInt64) -> UInt64 { (word &- 0x0101_0101_0101_0101) & ~word }

  private static func append(escaped byte: UInt8, to bytes: inout WipedBytes) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    default:
      bytes.append(UInt8(ascii: "u"))
      bytes.append(UInt8(ascii: "0"))
      bytes.append(UInt8(ascii: "0"))
      bytes.append(Hexadecimal.digit(byte >> 4))
      bytes.append(Hexadecimal.digit(byte & 15))
    }
  }
}
