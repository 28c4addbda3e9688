internal import WatchwordPrimitives
internal import WatchwordVocabulary

/// Reads the lexical elements of RFC 9110 §5.6 from one field value, byte by byte.
///
/// Every method either takes a whole element and moves past it, or returns nil; after nil the value is malformed and
/// is not read further. Work is linear in the length of the value.
struct FieldReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ value: OctetString) { bytes = Self.unfolded(value.octets) }

  var isAtEnd: Bool { position == bytes.count }

  /// Whether a comma or the end comes next, after whitespace, which is skipped.
  var isAtEndOfElement: Bool {
    mutating get {
      skipWhitespace()
      return isAtEnd || bytes[position] == .comma
    }
  }

  /// Whether whitespace, a comma or the end comes next: the characters that may follow a scheme.
  var isAtSeparator: Bool {
    isAtEnd || bytes[position] == .comma || Self.isWhitespace(bytes[position])
  }

  mutating func skipWhitespace() {
    while position < bytes.count, Self.isWhitespace(bytes[position]) { position += 1 }
  }

  /// Skips whitespace and empty list elements (RFC 9110 §5.6.1.2); returns whether a comma was among them.
  mutating func skipListSeparators() -> Bool {
    var hasComma = false
    while position < bytes.count {
      if bytes[position] == .comma {
        hasComma = true
      } else if !Self.isWhitespace(bytes[position]) {
        break
      }
      position += 1
    }
    return hasComma
  }

  mutating func token() -> ArraySlice<UInt8>? {
    let start = position
    while position < bytes.count, FieldSyntax.isTokenCharacter(bytes[position]) { position += 1 }
    return position > start ? bytes[start..<position] : nil
  }

  /// Takes `=` with bad whitespace around it (RFC 9110 §11.2); does not move when there is none.
  mutating func skipEqualsSign() -> Bool {
    let start = position
    skipWhitespace()
    guard position < bytes.count, bytes[position] == .equals else {
      position = start
      return false
    }
    position += 1
    skipWhitespace()
    return true
  }

  /// A token or a quoted string, unquoted.
  mutating func parameterValue() -> ArraySlice<UInt8>? {
    guard !isAtEnd, bytes[position] == .quote else { return token() }
    return QuotedString.read(bytes, at: &position)
  }

  /// Takes whitespace and a token68 that fills the rest of its list element; does not move when there is none.
  ///
  /// `realm=` at the end of a field is a token68 by the grammar; `realm="x"` and `realm=x` are not.
  mutating func token68() -> ArraySlice<UInt8>? {
    let start = position
    skipWhitespace()
    let first = position
    while position < bytes.count, Self.isToken68Character(bytes[position]) { position += 1 }
    if position > first {
      while position < bytes.count, bytes[position] == .equals { position += 1 }
      let end = position
      if isAtEndOfElement { return bytes[first..<end] }
    }
    position = start
    return nil
  }

  /// Replaces line folding by one space before anything else is read (RFC 9112 §5.2).
  private static func unfolded(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(.lineFeed) else { return bytes }
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let next = bytes[index...].dropFirst()
      if bytes[index] == .lineFeed, next.first.map(isWhitespace) == true {
        if result.last == .carriageReturn { result.removeLast() }
        result.append(.space)
        index = next.firstIndex { !isWhitespace($0) } ?? bytes.count
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return result
  }

  static func isWhitespace(_ byte: UInt8) -> Bool { byte == .space || byte == .tab }

  /// The characters of token68 except its padding (RFC 9110 §11.2); the same as in `b64token` of RFC 6750.
  static func isToken68Character(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "+"),
      UInt8(ascii: "/"):
      true
    default: false
    }
  }
}

extension UInt8 {
  fileprivate static let tab: UInt8 = 0x09
  fileprivate static let lineFeed: UInt8 = 0x0A
  fileprivate static let carriageReturn: UInt8 = 0x0D
  fileprivate static let space: UInt8 = 0x20
  fileprivate static let quote: UInt8 = 0x22
  fileprivate static let comma: UInt8 = 0x2C
  fileprivate static let equals: UInt8 = 0x3D
}
