/// Integers in decimal, without a `String` in between.
enum DecimalDigits {
  /// Digits of 2⁶³.
  private static let maximum = 19

  static func append(_ value: Int64, to bytes: inout WipedBytes) {
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    var left = value.magnitude
    guard left > 9 else { return bytes.append(UInt8(ascii: "0") + UInt8(left)) }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: maximum) { digits in
      var start = maximum
      while left > 0 {
        start -= 1
        digits[start] = UInt8(ascii: "0") + UInt8(left % 10)
        left /= 10
      }
      bytes.append(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: digits[start...])))
    }
  }

  /// The value divided by 1,000,000, exactly.
  static func append(millionths value: Int64, to bytes: inout WipedBytes) {
    let (whole, fraction) = value.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    append(Int64(whole), to: &bytes)
    guard fraction > 0 else { return }
    bytes.append(UInt8(ascii: "."))
    var left = fraction
    var unit: UInt64 = 100_000
    while left > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(left / unit))
      left %= unit
      unit /= 10
    }
  }
}

/// Bytes in base64 with padding (RFC 4648 §4).
enum Base64Digits {
  private static let alphabet: StaticString =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

  static func append(_ value: UnsafeRawBufferPointer, to bytes: inout WipedBytes) {
    let digits = alphabet.utf8Start
    bytes.append((value.count + 2) / 3 * 4) { bytes in
      var target = 0
      var source = 0
      while source + 2 < value.count {
        let group = Int(value[source]) << 16 | Int(value[source + 1]) << 8 | Int(value[source + 2])
        bytes[target] = digits[group >> 18]
        bytes[target + 1] = digits[group >> 12 & 63]
        bytes[target + 2] = digits[group >> 6 & 63]
        bytes[target + 3] = digits[group & 63]
        source += 3
        target += 4
      }
      let left = value.count - source
      guard left > 0 else { return }
      let group = Int(value[source]) << 16 | (left == 2 ? Int(value[source + 1]) << 8 : 0)
      bytes[target] = digits[group >> 18]
      bytes[target + 1] = digits[group >> 12 & 63]
      bytes[target + 2] = left == 2 ? digits[group >> 6 & 63] : UInt8(ascii: "=")
      bytes[target + 3] = UInt8(ascii: "=")
    }
  }
}
