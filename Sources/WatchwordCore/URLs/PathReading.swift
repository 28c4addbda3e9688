internal import CCrypto
internal import WatchwordVocabulary

/// What a server may take a path for, other than what stands there.
enum PathReading {
  /// Whether the path begins with `prefix`, as it stands and in every reading that a server may have of it.
  static func begins(_ path: String, with prefix: String) -> Bool {
    path.hasPrefixBytes(of: prefix) && !mayClimb(path)
  }

  /// Whether the path is `prefix` or lies below it, by whole segments, in every reading that a server may
  /// have of it.
  static func isBelow(_ prefix: String, _ path: String) -> Bool {
    let (bytes, count) = (path.utf8, prefix.utf8.count)
    let isWhole =
      bytes.count == count || prefix.utf8.last == slash || bytes.dropFirst(count).first == slash
    return isWhole && begins(path, with: prefix)
  }

  private static let slash = UInt8(ascii: "/")

  /// Whether some server may find a `..` in the path: plain, as `%2e%2e`, between `%2f` or backslashes, or
  /// before what some servers cut off before they resolve dots: path parameters (`..;x`), a decoded query or
  /// fragment, and spaces. Characters beyond ASCII are lost where a server has no letter for them: what is
  /// left of `..日` are two dots. So it is where lenient decoders may make something else of the bytes.
  ///
  /// Percent-decoding goes on until nothing is left to decode: a proxy and the server behind it may each
  /// decode once (`%252e%252e`). No decoding takes away a `..` that an earlier one has brought to light.
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

  /// Whether anything in the path can be read in another way. Most paths have one dot at most, no escape and
  /// nothing but printable ASCII.
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

/// A path, percent-decoded until nothing is left to decode.
struct DecodedPath {
  private(set) var bytes: [UInt8] = []
  /// How often each byte was decoded.
  private var depths: [Int32] = []
  /// Whether a `%` is left.
  private var hasPercent = false

  /// In linear time: every decoded byte may complete another triplet with those before it, and each makes the
  /// result two bytes shorter.
  init(_ path: String) {
    bytes.reserveCapacity(path.utf8.count)
    depths.reserveCapacity(path.utf8.count)
    for byte in path.utf8 {
      bytes.append(byte)
      depths.append(0)
      while let last = lastTriplet {
        let depth = depths.suffix(3).max() ?? 0
        bytes.removeLast(3)
        depths.removeLast(3)
        bytes.append(last)
        depths.append(depth + 1)
      }
    }
    hasPercent = bytes.contains(UInt8(ascii: "%"))
  }

  private var lastTriplet: UInt8? {
    let count = bytes.count
    guard count >= 3, bytes[count - 3] == UInt8(ascii: "%"),
      let high = Hexadecimal.value(ofDigit: bytes[count - 2]),
      let low = Hexadecimal.value(ofDigit: bytes[count - 1])
    else { return nil }
    return high << 4 | low
  }

  /// Whether lenient servers may read other characters than those that stand there: octets that are no UTF-8
  /// in its shortest form in some decoding, characters that are dropped, trimmed or normalized to ASCII, and
  /// `%u002e`.
  var isDeceptive: Bool {
    var index = 0
    var iterator = bytes.makeIterator()
    var codec = UTF8()
    while true {
      switch codec.decode(&iterator) {
      case .emptyInput: return false
      case .error: return true
      case .scalarValue(let scalar):
        let next = index + UTF8.width(scalar)
        if scalar == "%" {
          if isUnicodeEscape(bytes[next...].prefix(5)) { return true }
        } else if isDeceptive(scalar) {
          return true
        }
        guard depths[index..<next].allSatisfy({ $0 == depths[index] }) else { return true }
        index = next
      }
    }
  }

  private func isUnicodeEscape(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.count == 5, let letter = bytes.first, ASCIICase.lower(letter) == UInt8(ascii: "u") else {
      return false
    }
    return bytes.dropFirst().allSatisfy { Hexadecimal.value(ofDigit: $0) != nil }
  }

  private func isDeceptive(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
    return Self.isInvisible(scalar) || Self.codePages.contains(scalar) || isDeceptiveWhenNormalized(scalar)
  }

  /// White space is trimmed; controls and format characters are dropped, or end the path.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    let category = scalar.properties.generalCategory
    return scalar.properties.isWhitespace || category == .control || category == .format
  }

  /// Which code pages of Windows take for a slash or a backslash; no normalization does.
  private static let codePages: Set<Unicode.Scalar> = [
    "\u{A5}", "\u{20A9}", "\u{2044}", "\u{2215}", "\u{2216}",
  ]

  /// What separates segments, makes one of dots, ends one, or begins an escape.
  private static let delimiters = Array("./\\%;?#".unicodeScalars)

  /// Whether Normalization Form KC has a delimiter, or completes the escape of a `%` that is left.
  private func isDeceptiveWhenNormalized(_ scalar: Unicode.Scalar) -> Bool {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: Int(WATCHWORD_COMPATIBLE_CAPACITY)) { form in
      guard let start = form.baseAddress else { return true }
      let count = watchword_make_compatible(scalar.value, start)
      return count == 0
        || form[..<count].contains { point in
          guard point < 0x80, let made = Unicode.Scalar(point) else { return false }
          return Self.delimiters.contains(made)
            || (hasPercent && (made.properties.isASCIIHexDigit || made == "u" || made == "U"))
        }
    }
  }
}
