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
  /// Characters beyond ASCII are lost where a server has no letter for them: what is left of `..日` are two dots.
  /// So it is where lenient decoders may make something else of the bytes.
  ///
  /// Percent-decoding goes on until nothing is left to decode: a proxy and the server behind it may each decode once
  /// (`%252e%252e`). No decoding takes away a `..` that an earlier one has brought to light.
  static func mayClimb(_ path: String) -> Bool {
    guard isSuspect(path) else { return false }
    let decoded = DecodedPath(path)
    if decoded.isDeceptive { return true }
    var dots = 0
    var isDotSegment = true
    var hasParameters = false
    for byte in decoded.bytes + [UInt8(ascii: "/")] {
      switch byte {
      case UInt8(ascii: "/"), UInt8(ascii: "\\"):
        if isDotSegment, dots == 2 { return true }
        (dots, isDotSegment, hasParameters) = (0, true, false)
      case UInt8(ascii: ";"), UInt8(ascii: "?"), UInt8(ascii: "#"): hasParameters = true
      // Some take a plus for a space.
      case UInt8(ascii: " "), UInt8(ascii: "+"), 0x80...: break
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
}
