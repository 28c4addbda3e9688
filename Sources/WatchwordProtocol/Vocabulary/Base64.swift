package import WatchwordSecret

/// Base64 (RFC 4648 §4). On the way in it is strict: padding required, nothing else between, unused bits zero.
///
/// So exactly one text stands for the same bytes (§3.5).
package enum Base64 {
  /// With padding, in one line.
  package static func encode(_ bytes: [UInt8]) -> [UInt8] {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits: UInt32 = 0
      for index in 0..<3 { bits = bits << 8 | UInt32(index < group.count ? group[start + index] : 0) }
      for digit in 0..<4 {
        let value = Int(bits >> UInt32(18 - 6 * digit) & 63)
        text.append(digit <= group.count ? alphabet[value] : UInt8(ascii: "="))
      }
    }
    return text
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

  /// The same for what must not be seen: no copy of it is made on the way.
  package static func decode(_ text: Secret) -> Secret? {
    text.withBytes { text in
      let text = text.assumingMemoryBound(to: UInt8.self)
      guard let count = decodedCount(text) else { return nil }
      var isSound = false
      let bytes = Secret(count: count) { isSound = decode(text, into: $0) }
      return isSound ? bytes : nil
    }
  }

  private static func padding(_ text: UnsafeBufferPointer<UInt8>) -> Int {
    text.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
  }

  /// Bytes that a text of this length stands for; nil when none has it.
  private static func decodedCount(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
    text.count.isMultiple(of: 4) ? text.count / 4 * 3 - padding(text) : nil
  }

  /// Fills `bytes`, which has just the room; false when a character is none of base64.
  private static func decode(
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
