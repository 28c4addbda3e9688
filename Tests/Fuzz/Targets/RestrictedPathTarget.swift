internal import WatchwordCore
internal import WatchwordVocabulary

/// A path under the rule `/v1/*`. When it is allowed, no server that decodes and normalizes it may find a `..` in it.
enum RestrictedPathTarget {
  private static let origin = Origin(scheme: .https, host: "a.example", port: 443)
  private static let url = RequestURL(origin: origin, path: "/v1/", query: nil)
  private static let pattern = PathPattern(url, isPrefix: true)

  @Sendable static func run(_ input: UnsafeRawBufferPointer) {
    let text = Array("/v1/".utf8) + input
    guard let path = String(validating: text, as: UTF8.self) else { return }
    guard let pattern, pattern.covers(path) else { return }
    // A proxy and the servers behind it may each decode once.
    let once = decoded(text)
    let twice = decoded(once)
    let readings = [text, once, twice, decoded(twice)]
    for bytes in readings {
      require(!climbs(bytes.filter { $0 < 0x80 }), "an ASCII reader climbs")
      require(!climbs(loose(bytes)), "a reader of overlong UTF-8 climbs")
      require(!climbs(latin(bytes)), "a reader of Latin-1 climbs")
      require(
        !climbs(bytes.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }), "a reader of forms climbs")
    }
  }

  /// Percent-decodes once; what is no triplet stays.
  private static func decoded(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let digits = bytes[index...].dropFirst().prefix(2).compactMap {
        Character(Unicode.Scalar($0)).hexDigitValue
      }
      if bytes[index] == UInt8(ascii: "%"), digits.count == 2 {
        result.append(UInt8(digits[0] << 4 | digits[1]))
        index += 3
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return result
  }

  /// Reads UTF-8 of any length without a check of its form, and leaves out what is beyond ASCII.
  private static func loose(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let first = bytes[index]
      let count =
        first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF8 ? 4 : first < 0xFC ? 5 : 6
      var value = count == 1 ? UInt32(first) : UInt32(first) & (0x7F >> UInt32(count))
      let end = min(index + count, bytes.count)
      for byte in bytes[index..<end].dropFirst() { value = (value & 0x3FF_FFFF) << 6 | UInt32(byte & 0x3F) }
      if value < 0x80 { result.append(UInt8(value)) }
      index = end
    }
    return result
  }

  /// Every octet is a character; spaces and controls of Latin-1 are trimmed as those of ASCII.
  private static func latin(_ bytes: [UInt8]) -> [UInt8] {
    bytes.map { (0x80...0xA0).contains($0) || $0 == 0xAD ? UInt8(ascii: " ") : $0 }
  }

  /// Whether a segment is `..` when spaces around it are trimmed and parameters are cut off.
  private static func climbs(_ bytes: [UInt8]) -> Bool {
    let segments = bytes.split(omittingEmptySubsequences: false) {
      $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\")
    }
    return segments.contains { segment in
      let name = segment.prefix { ![UInt8(ascii: ";"), UInt8(ascii: "?"), UInt8(ascii: "#")].contains($0) }
      let kept = name.filter { $0 > 0x20 && $0 != 0x7F }
      return kept == Array("..".utf8)
    }
  }
}
