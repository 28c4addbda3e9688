internal import WatchwordPrimitives

/// What tells one page from another: a list of CSS selectors (Selectors Level 3), of which one must match an element.
///
/// Types, `*`, `#id`, `.class`, `[name]`, `[name=value]`, `[name^=value]`, `[name$=value]`, `[name*=value]` and
/// `[name~=value]`, joined by white space (descendant) and `>` (child). Other parts of CSS are refused.
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
