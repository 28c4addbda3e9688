internal import WatchwordVocabulary

/// Reads the lexical elements of RFC 9110 §5.6 from one field value, byte by byte.
///
/// Every method either takes a whole element and moves past it, or returns nil; after nil the element is
/// malformed, and only `skipElement` may go on. Work is linear in the length of the value.
struct FieldReader {
  private let bytes: [UInt8]
  private var position = 0
  /// Whether a quoted string has no end: what follows may be inside it or not.
  private var isLost = false

  init(_ value: OctetString) { bytes = Self.unfolded(value.octets) }

  var isAtEnd: Bool { position == bytes.count }

  /// Whether a comma or the end comes next, after whitespace, which is skipped.
  var isAtEndOfElement: Bool {
    mutating get {
      skipWhitespace()
      return isAtEnd || bytes[position] == .comma
    }
  }

  /// Whether whitespace, a comma, a semicolon or the end comes next: what may follow a scheme and a value.
  var isAtSeparator: Bool { isSeparator(at: position) }

  private func isSeparator(at index: Int) -> Bool {
    index >= bytes.count || bytes[index] == .comma || bytes[index] == .semicolon
      || Self.isWhitespace(bytes[index])
  }

  mutating func skipWhitespace() {
    while position < bytes.count, Self.isWhitespace(bytes[position]) { position += 1 }
  }

  /// What stands between two elements, the weakest first.
  enum Separator: Comparable {
    case nothing, whitespace, semicolon, comma
  }

  /// Skips whitespace, semicolons and empty list elements (RFC 9110 §5.6.1.2); returns the strongest that was
  /// there.
  mutating func skipSeparators() -> Separator {
    var strongest = Separator.nothing
    while position < bytes.count {
      switch bytes[position] {
      case .comma: strongest = .comma
      case .semicolon: strongest = max(strongest, .semicolon)
      case let byte where Self.isWhitespace(byte): strongest = max(strongest, .whitespace)
      default: return strongest
      }
      position += 1
    }
    return strongest
  }

  /// Skips the rest of a malformed element, up to the comma after it; false when a quote leaves it open where
  /// that is.
  mutating func skipElement() -> Bool {
    while !isLost, position < bytes.count, bytes[position] != .comma {
      guard bytes[position] == .quote else {
        position += 1
        continue
      }
      let isOpening = position == 0 || bytes[position - 1] == .equals || isSeparator(at: position - 1)
      guard isOpening, quotedString() != nil, isAtSeparator else { return false }
    }
    return !isLost
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

  /// The value of a parameter, and how it was spelled.
  enum Value {
    case quoted(ArraySlice<UInt8>)
    case unquoted(ArraySlice<UInt8>)
    /// In apostrophes, which the grammar does not know as quotes: they are part of it.
    case inApostrophes(ArraySlice<UInt8>)

    var isInApostrophes: Bool {
      if case .inApostrophes = self { true } else { false }
    }

    var octets: ArraySlice<UInt8> {
      switch self {
      case .quoted(let octets), .unquoted(let octets), .inApostrophes(let octets): octets
      }
    }
  }

  /// A quoted string, unquoted, or the octets up to the next separator.
  mutating func parameterValue() -> Value? {
    guard !isAtEnd else { return nil }
    if bytes[position] == .quote { return quotedString().map(Value.quoted) }
    if let words = wordsInApostrophes() { return .inApostrophes(words) }
    return unquotedValue().map(Value.unquoted)
  }

  private mutating func quotedString() -> ArraySlice<UInt8>? {
    let value = QuotedString.read(bytes, at: &position)
    isLost = value == nil
    return value
  }

  /// Takes more than the grammar's token: nonces that end in `==`, URLs and octets of other alphabets.
  ///
  /// A semicolon separates, except inside a URL.
  private mutating func unquotedValue() -> ArraySlice<UInt8>? {
    guard bytes[position] != .equals else { return nil }
    let start = position
    var isURL = false
    while position < bytes.count, Self.isValueCharacter(bytes[position]) {
      if bytes[position] == .semicolon, !isURL || isSeparator(at: position + 1) { break }
      if bytes[position] == .colon { isURL = true }
      position += 1
    }
    return position > start ? bytes[start..<position] : nil
  }

  /// `'two words'`, which hold nothing that could be another parameter; does not move when there are none.
  private mutating func wordsInApostrophes() -> ArraySlice<UInt8>? {
    guard bytes[position] == .apostrophe else { return nil }
    var end = position + 1
    while end < bytes.count, bytes[end] != .apostrophe {
      let isPlain =
        Self.isWhitespace(bytes[end])
        || (Self.isValueCharacter(bytes[end]) && bytes[end] != .equals && bytes[end] != .semicolon)
      guard isPlain else { return nil }
      end += 1
    }
    guard end < bytes.count, isSeparator(at: end + 1),
      bytes[position..<end].contains(where: Self.isWhitespace)
    else { return nil }
    defer { position = end + 1 }
    return bytes[position...end]
  }

  /// Visible octets that neither end a value nor begin or quote another one.
  private static func isValueCharacter(_ byte: UInt8) -> Bool {
    byte > .space && byte != 0x7F && byte != .comma && byte != .quote && byte != .backslash
  }

  /// Takes whitespace and a token68 that fills the rest of its list element; does not move when there is
  /// none.
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
  fileprivate static let semicolon: UInt8 = 0x3B
  fileprivate static let colon: UInt8 = 0x3A
  fileprivate static let apostrophe: UInt8 = 0x27
  fileprivate static let backslash: UInt8 = 0x5C
}
