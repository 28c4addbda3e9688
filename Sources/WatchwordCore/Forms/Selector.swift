internal import WatchwordVocabulary

/// What tells one page from another: a list of CSS selectors (Selectors Level 3), of which one must match an
/// element.
///
/// Types, `*`, `#id`, `.class`, `[name]`, `[name=value]`, `[name^=value]`, `[name$=value]`, `[name*=value]`
/// and `[name~=value]`, joined by white space (descendant) and `>` (child). Other parts of CSS are refused.
package struct Selector: Sendable, Equatable {
  package static let maximumBytes = 1024
  /// Parts of all alternatives together: what is known of an element is a bit for each.
  static let maximumParts = 64

  package let text: String
  let parts: [Part]

  /// One compound selector.
  struct Part: Sendable, Equatable {
    enum Place: Sendable, Equatable {
      /// Anywhere: the first part of an alternative.
      case first
      /// Below an element that the part before it matches.
      case descendant
      /// Directly below it.
      case child
    }

    let place: Place
    /// Whether an element that it matches is what the selector looks for.
    var isLast = false
    /// In lower case; nil for any element.
    var type: String?
    var conditions: [Condition] = []
  }

  struct Condition: Sendable, Equatable {
    enum Test: Sendable, Equatable {
      case exists
      case equals
      case begins
      case ends
      case contains
      case hasWord
    }

    /// In lower case, as the parser gives names.
    let attribute: String
    let test: Test
    let value: String
  }

  /// Nil when it is not one of these selectors.
  package init?(_ text: String) {
    guard text.utf8.count <= Selector.maximumBytes, let parts = SelectorParser.parts(of: text) else {
      return nil
    }
    self.text = text
    self.parts = parts
  }

  package static func == (left: Selector, right: Selector) -> Bool { left.parts == right.parts }
}

extension Selector.Part {
  func matches(_ element: PageElement) -> Bool {
    if let type, type != element.name { return false }
    return conditions.allSatisfy { $0.holds(for: element) }
  }
}

extension Selector.Condition {
  func holds(for element: PageElement) -> Bool {
    guard let actual = element.value(of: attribute) else { return false }
    switch test {
    case .exists: return true
    case .equals: return actual.hasBytes(of: value)
    case .begins: return !value.isEmpty && actual.utf8.starts(with: value.utf8)
    case .ends: return !value.isEmpty && actual.utf8.reversed().starts(with: value.utf8.reversed())
    case .contains: return !value.isEmpty && actual.containsBytes(of: value)
    case .hasWord:
      return actual.unicodeScalars.split(whereSeparator: \.isHTMLSpace).contains {
        String($0).hasBytes(of: value)
      }
    }
  }
}

extension Unicode.Scalar {
  /// White space of HTML (WHATWG Infra, "ASCII whitespace").
  var isHTMLSpace: Bool { self == " " || self == "\t" || self == "\n" || self == "\u{C}" || self == "\r" }
}

/// Reads a list of selectors.
struct SelectorParser {
  private var rest: Substring.UnicodeScalarView
  private var parts: [Selector.Part] = []

  /// Nil when the text is not a selector of those that are supported.
  static func parts(of text: String) -> [Selector.Part]? {
    var parser = SelectorParser(rest: Substring(text).unicodeScalars)
    return parser.readList() ? parser.parts : nil
  }

  private init(rest: Substring.UnicodeScalarView) { self.rest = rest }

  private mutating func readList() -> Bool {
    repeat {
      skipSpace()
      guard readAlternative() else { return false }
    } while consume(",")
    return rest.isEmpty && parts.count <= Selector.maximumParts
  }

  private mutating func readAlternative() -> Bool {
    var place = Selector.Part.Place.first
    while true {
      guard let part = readPart(place) else { return false }
      parts.append(part)
      let isSpaced = skipSpace()
      if consume(">") {
        skipSpace()
        place = .child
      } else if rest.isEmpty || rest.first == "," {
        parts[parts.count - 1].isLast = true
        return true
      } else {
        guard isSpaced else { return false }
        place = .descendant
      }
    }
  }

  /// A type or `*`, then ids, classes and attributes; at least one of them.
  private mutating func readPart(_ place: Selector.Part.Place) -> Selector.Part? {
    var part = Selector.Part(place: place)
    var isEmpty = true
    if consume("*") {
      isEmpty = false
    } else if let type = readName() {
      part.type = type.asciiLowercased
      isEmpty = false
    }
    while true {
      if consume("#") {
        guard let name = readName() else { return nil }
        part.conditions.append(Selector.Condition(attribute: "id", test: .equals, value: name))
      } else if consume(".") {
        guard let name = readName() else { return nil }
        part.conditions.append(Selector.Condition(attribute: "class", test: .hasWord, value: name))
      } else if consume("[") {
        guard let condition = readAttribute() else { return nil }
        part.conditions.append(condition)
      } else {
        return isEmpty && part.conditions.isEmpty ? nil : part
      }
    }
  }

  private mutating func readAttribute() -> Selector.Condition? {
    skipSpace()
    guard let name = readName()?.asciiLowercased else { return nil }
    skipSpace()
    if consume("]") { return Selector.Condition(attribute: name, test: .exists, value: "") }
    guard let test = readTest() else { return nil }
    skipSpace()
    guard let value = readValue() else { return nil }
    skipSpace()
    return consume("]") ? Selector.Condition(attribute: name, test: test, value: value) : nil
  }

  private mutating func readTest() -> Selector.Condition.Test? {
    if consume("=") { return .equals }
    let tests: [(Unicode.Scalar, Selector.Condition.Test)] = [
      ("^", .begins), ("$", .ends), ("*", .contains), ("~", .hasWord),
    ]
    for (sign, test) in tests where consume(sign) { return consume("=") ? test : nil }
    return nil
  }

  private mutating func readValue() -> String? {
    for quote in ["\"", "'"] as [Unicode.Scalar] where consume(quote) {
      guard let end = rest.firstIndex(of: quote) else { return nil }
      defer { rest = rest[rest.index(after: end)...] }
      let value = String(rest[..<end])
      // Escapes are not read.
      return value.utf8.contains(UInt8(ascii: "\\")) ? nil : value
    }
    return readName()
  }

  private mutating func readName() -> String? {
    let name = rest.prefix { scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
      default: scalar.value >= 0x80
      }
    }
    guard !name.isEmpty else { return nil }
    rest = rest[name.endIndex...]
    return String(name)
  }

  private mutating func consume(_ scalar: Unicode.Scalar) -> Bool {
    guard rest.first == scalar else { return false }
    rest.removeFirst()
    return true
  }

  @discardableResult
  private mutating func skipSpace() -> Bool {
    let count = rest.count
    rest = rest.drop(while: \.isHTMLSpace)
    return rest.count < count
  }
}
