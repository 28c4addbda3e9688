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
