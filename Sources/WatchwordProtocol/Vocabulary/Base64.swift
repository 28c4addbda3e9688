/// Base64 on the way in (RFC 4648 §4); strict: padding required, nothing else between.
package enum Base64 {
  package static func decode(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count / 4 * 3)
    var group: UInt32 = 0
    var count = 0
    var padding = 0
    for byte in text.utf8 {
      if byte == UInt8(ascii: "=") {
        padding += 1
        count += 1
        group <<= 6
      } else {
        guard padding == 0, let digit = digit(byte) else { return nil }
        group = group << 6 | digit
        count += 1
      }
      guard count == 4 else { continue }
      guard padding <= 2 else { return nil }
      let unused = group & (padding == 2 ? 0xFFFF : padding == 1 ? 0xFF : 0)
      guard unused == 0 else { return nil }
      bytes.append(UInt8(group >> 16 & 0xFF))
      if padding < 2 { bytes.append(UInt8(group >> 8 & 0xFF)) }
      if padding < 1 { bytes.append(UInt8(group & 0xFF)) }
      (group, count) = (0, padding > 0 ? Int.min : 0)
    }
    return count == 0 || count < 0 && count == Int.min ? bytes : nil
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
