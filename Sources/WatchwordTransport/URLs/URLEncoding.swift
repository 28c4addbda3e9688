internal import WatchwordVocabulary

/// Percent-encoding of path and query (RFC 3986 §2), and its inverse for userinfo.
enum URLEncoding {
  /// Encodes characters that a request line does not allow, and decodes `%2e` in the path.
  ///
  /// An encoded dot is a dot (RFC 3986 §6.2.2.2): `/public/%2e%2e/private` must not appear to be below
  /// `/public` when the path decides which credential is sent.
  static func append(encoded rest: ArraySlice<UInt8>, to result: inout [UInt8]) {
    var isPath = true
    var index = rest.startIndex
    while index < rest.endIndex {
      let byte = rest[index]
      if byte == UInt8(ascii: "?") { isPath = false }
      if isPath, byte == UInt8(ascii: "%"), index + 2 < rest.endIndex,
        rest[index + 1] == UInt8(ascii: "2"), ASCIICase.lower(rest[index + 2]) == UInt8(ascii: "e")
      {
        result.append(UInt8(ascii: "."))
        index += 3
        continue
      }
      if byte <= 0x20 || byte >= 0x7F || isUnsafe(byte) {
        result.append(UInt8(ascii: "%"))
        result += Hexadecimal.upperPair(byte)
      } else {
        result.append(byte)
      }
      index += 1
    }
  }

  /// Decodes once; nil when a `%` is not followed by two hexadecimal digits.
  static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var rest = text.makeIterator()
    while let byte = rest.next() {
      guard byte == UInt8(ascii: "%") else {
        result.append(byte)
        continue
      }
      guard let high = rest.next().flatMap(Hexadecimal.value),
        let low = rest.next().flatMap(Hexadecimal.value)
      else { return nil }
      result.append(high << 4 | low)
    }
    return result
  }

  /// Printable, but not allowed in a URL.
  private static func isUnsafe(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "^"),
      UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
      true
    default: false
    }
  }
}
