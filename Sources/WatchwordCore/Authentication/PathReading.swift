internal import WatchwordPrimitives

/// What a server may take a path for, other than what stands there.
enum PathReading {
  /// Whether the path begins with `prefix`, as it stands and in every reading that a server may have of it.
  static func begins(_ path: String, with prefix: String) -> Bool {
    path.hasPrefixBytes(of: prefix) && !mayClimb(path)
  }

  /// Whether the path is `prefix` or lies below it, by whole segments, in every reading that a server may have of it.
  static func isBelow(_ prefix: String, _ path: String) -> Bool {
    let (bytes, count) = (path.utf8, prefix.utf8.count)
    let isWhole =
      bytes.count == count || prefix.utf8.last == slash || bytes.dropFirst(count).first == slash
    return isWhole && begins(path, with: prefix)
  }

  private static let slash = UInt8(ascii: "/")

  /// Whether some server may find a `..` in the path: plain, as `%2e%2e`, between `%2f` or backslashes, or before what
  /// some servers cut off before they resolve dots: path parameters (`..;x`), a decoded query or fragment, and spaces.
  /// So it is where lenient decoders may make something else of the bytes.
  ///
  /// Percent-decoding goes on until nothing is left to decode: a proxy and the server behind it may each decode once
  /// (`%252e%252e`). No decoding takes away a `..` that an earlier one has brought to light.
  static func mayClimb(_ path: String) -> Bool {
    guard isSuspect(path) else { return false }
    let decoded = percentDecoded(path)
    if isDeceptive(decoded) { return true }
    var dots = 0
    var isDotSegment = true
    var hasParameters = false
    for byte in decoded + [UInt8(ascii: "/")] {
      switch byte {
      case UInt8(ascii: "/"), UInt8(ascii: "\\"):
        if isDotSegment, dots == 2 { return true }
        (dots, isDotSegment, hasParameters) = (0, true, false)
      case UInt8(ascii: ";"), UInt8(ascii: "?"), UInt8(ascii: "#"): hasParameters = true
      case UInt8(ascii: " "): break
      case UInt8(ascii: ".") where !hasParameters: dots += 1
      default: if !hasParameters { isDotSegment = false }
      }
    }
    return false
  }

  /// Whether anything in the path can be read in another way. Most paths have one dot at most, no escape and nothing but
  /// printable ASCII.
  private static func isSuspect(_ path: String) -> Bool {
    var path = path
    return path.withUTF8 { bytes in
      var dots = 0
      for byte in bytes {
        switch byte {
        case UInt8(ascii: "."): dots += 1
        case UInt8(ascii: "%"), ..<0x20, 0x7F...: return true
        default: break
        }
      }
      return dots > 1
    }
  }

  /// Control characters are dropped by some and end the path for others; overlong UTF-8 and `%u002e` are decoded to ASCII;
  /// fullwidth dots and slashes and the leaders of two and one dots are normalized to ASCII.
  private static func isDeceptive(_ bytes: [UInt8]) -> Bool {
    bytes.indices.contains { index in
      let rest = bytes[index...].dropFirst()
      return switch bytes[index] {
      case ..<0x20, 0x7F, 0xC0, 0xC1: true
      case 0xE0: rest.first.map { (0x80..<0xA0).contains($0) } ?? false
      case 0xF0: rest.first.map { (0x80..<0x90).contains($0) } ?? false
      case 0xE2: rest.starts(with: [0x80, 0xA4]) || rest.starts(with: [0x80, 0xA5])
      case 0xEF: [0x8E, 0x8F, 0xBC].contains { rest.starts(with: [0xBC, $0]) }
      case UInt8(ascii: "%"): isUnicodeEscape(rest.prefix(5))
      default: false
      }
    }
  }

  private static func isUnicodeEscape(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.count == 5, let letter = bytes.first, ASCIICase.lower(letter) == UInt8(ascii: "u") else {
      return false
    }
    return bytes.dropFirst().allSatisfy { Hexadecimal.value(ofDigit: $0) != nil }
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
      let high = Hexadecimal.value(ofDigit: bytes[count - 2]),
      let low = Hexadecimal.value(ofDigit: bytes[count - 1])
    else { return nil }
    return high << 4 | low
  }
}
