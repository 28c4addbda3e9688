/// What a server may take a path for, other than what stands there.
enum PathReading {
  /// Whether some server may find a `..` in the path: plain, as `%2e%2e`, between `%2f` or backslashes, or
  /// before path parameters (`..;x`, which some Java servers cut off before they resolve dots).
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

  private static func percentDecoded(_ path: String) -> [UInt8] {
    let bytes = Array(path.utf8)
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count + 1)
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
        let high = value(ofDigit: bytes[index + 1]), let low = value(ofDigit: bytes[index + 2])
      {
        decoded.append(high << 4 | low)
        index += 3
      } else {
        decoded.append(bytes[index])
        index += 1
      }
    }
    return decoded
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
