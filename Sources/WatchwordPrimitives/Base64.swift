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

  /// The character for the last six bits; computed without a table or a branch: the cache lines of a table would
  /// reveal a secret.
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
    var digits = 0
    var filled = 0
    for byte in text.dropLast(padding(text)) {
      guard let digit = digit(byte) else { return false }
      group = group << 6 | digit
      digits += 1
      guard digits.isMultiple(of: 4) else { continue }
      for shift in [16, 8, 0] {
        bytes[filled] = UInt8(truncatingIfNeeded: group >> shift)
        filled += 1
      }
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

  private static func digit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
