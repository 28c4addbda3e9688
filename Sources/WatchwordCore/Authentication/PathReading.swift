/// What a server may take a path for, other than what stands there.
enum PathReading {
  /// Whether some server may find a `..` in the path: plain, as `%2e%2e`, between `%2f` or backslashes, or
  /// before path parameters (`..;x`, which some Java servers cut off before they resolve dots).
  ///
  /// Percent-decoding goes on until nothing is left to decode: a proxy and the server behind it may each decode once
  /// (`%252e%252e`). No decoding takes away a `..` that an earlier one has brought to light.
  static func mayClimb(_ path: String) -> Bool {
    var dots = 0
    var isDotSegment = true
    var hasParameters = false
    for byte in percentDecoded(path) + [UInt8(ascii: "/")] {
      switch byte {
      case UInt8(ascii: "/"), UInt8(ascii: "\\"):
        if isDotSegment, dots == 2 { return true }
        (dots, isDotSegment, hasParameters) = (0, true, false)
      case UInt8(ascii: ";"): hasParameters = true
      case UInt8(ascii: ".") where !hasParameters: dots += 1
      default: if !hasParameters { isDotSegment = false }
      }
    }
    return false
  }

  /// Decoded to a fixed point, in linear time: every decoded byte may complete another triplet with those before it,
  /// and each makes the result two bytes shorter.
  private static func percentDecoded(_ path: String) -> [UInt8] {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(path.utf8.count + 1)
    for byte in path.utf8 {
      decoded.append(byte)
      while let last = triplet(atEndOf: decoded) {
        decoded.removeLast(3)
        decoded.append(last)
      }
    }
    return decoded
  }

  private static func triplet(atEndOf bytes: [UInt8]) -> UInt8? {
    let count = bytes.count
    guard count >= 3, bytes[count - 3] == UInt8(ascii: "%"),
      let high = value(ofDigit: bytes[count - 2]), let low = value(ofDigit: bytes[count - 1])
    else { return nil }
    return high << 4 | low
  }

  private static func value(ofDigit digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
