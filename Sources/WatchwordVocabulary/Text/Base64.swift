/// Base64 (RFC 4648 §4). Decoding is strict: padding required, no other characters, unused bits zero.
///
/// Therefore exactly one text encodes the same bytes (RFC 4648 §3.5).
package enum Base64 {
  /// Length of the encoded text for `count` bytes, padding included.
  package static func encodedCount(of count: Int) -> Int { (count + 2) / 3 * 4 }

  /// Fills `text`, which has exactly the length, with padding and in one line.
  package static func encode(_ bytes: UnsafeRawBufferPointer, into text: UnsafeMutableRawBufferPointer) {
    var target = 0
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let count = min(bytes.count - start, 3)
      var group = UInt32(bytes[start]) << 16
      if count > 1 { group |= UInt32(bytes[start + 1]) << 8 }
      if count > 2 { group |= UInt32(bytes[start + 2]) }
      text[target] = character(group >> 18)
      text[target + 1] = character(group >> 12)
      text[target + 2] = count > 1 ? character(group >> 6) : UInt8(ascii: "=")
      text[target + 3] = count > 2 ? character(group) : UInt8(ascii: "=")
      target += 4
    }
  }

  package static func encode(_ bytes: [UInt8]) -> String {
    let count = encodedCount(of: bytes.count)
    return bytes.withUnsafeBytes { bytes in
      String(unsafeUninitializedCapacity: count) { text in
        encode(bytes, into: UnsafeMutableRawBufferPointer(text))
        return count
      }
    }
  }

  /// The character for the last six bits; computed without a table or a branch: the cache lines of a table
  /// would reveal a secret.
  private static func character(_ bits: UInt32) -> UInt8 {
    let value = Int32(bits & 63)
    let offset =
      65 + ((25 - value) >> 8 & 6) - ((51 - value) >> 8 & 75) - ((61 - value) >> 8 & 15)
      + ((62 - value) >> 8 & 3)
    return UInt8(truncatingIfNeeded: value + offset)
  }

  package static func decode(_ text: String) -> [UInt8]? {
    var text = text
    return text.withUTF8 { text in
      guard let count = decodedCount(text) else { return nil }
      var isSound = false
      let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        isSound = decode(text, into: UnsafeMutableRawBufferPointer(buffer))
        filled = isSound ? count : 0
      }
      return isSound ? bytes : nil
    }
  }

  /// Length of the decoded bytes of a text; nil when no bytes have this length.
  package static func decodedCount(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
    text.count.isMultiple(of: 4) ? text.count / 4 * 3 - padding(text) : nil
  }

  private static func padding(_ text: UnsafeBufferPointer<UInt8>) -> Int {
    text.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
  }

  /// Fills `bytes`, which has exactly the length; false when a character is not base64.
  package static func decode(
    _ text: UnsafeBufferPointer<UInt8>, into bytes: UnsafeMutableRawBufferPointer
  ) -> Bool {
    var group: UInt32 = 0
    var filled = 0
    var index = 0
    let end = text.count - padding(text)
    while index < end {
      guard let digit = digit(UInt32(text[index])) else { return false }
      group = group &<< 6 | digit
      index += 1
      guard index & 3 == 0 else { continue }
      bytes[filled] = UInt8(truncatingIfNeeded: group &>> 16)
      bytes[filled + 1] = UInt8(truncatingIfNeeded: group &>> 8)
      bytes[filled + 2] = UInt8(truncatingIfNeeded: group)
      filled += 3
    }
    switch bytes.count - filled {
    case 2:
      guard group & 0b11 == 0 else { return false }
      bytes[filled] = UInt8(truncatingIfNeeded: group >> 10)
      bytes[filled + 1] = UInt8(truncatingIfNeeded: group >> 2)
    case 1:
      guard group & 0b1111 == 0 else { return false }
      bytes[filled] = UInt8(truncatingIfNeeded: group >> 4)
    default: break
    }
    return true
  }

  /// Compares numbers, since a build without optimization takes ten times as long to match ranges of
  /// characters.
  private static func digit(_ byte: UInt32) -> UInt32? {
    if byte >= 0x61 && byte <= 0x7A { return byte - 0x61 + 26 }  // a to z
    if byte >= 0x41 && byte <= 0x5A { return byte - 0x41 }  // A to Z
    if byte >= 0x30 && byte <= 0x39 { return byte - 0x30 + 52 }  // 0 to 9
    if byte == 0x2B { return 62 }  // +
    if byte == 0x2F { return 63 }  // /
    return nil
  }
}
