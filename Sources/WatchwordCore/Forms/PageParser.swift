internal import WatchwordVocabulary

/// What a task wants to know of a page.
package struct PageQuestion: Sendable, Equatable {
  package let userField: String
  package let passwordField: String
  package let selector: Selector?

  package init(userField: String, passwordField: String, selector: Selector?) {
    self.userField = userField
    self.passwordField = passwordField
    self.selector = selector
  }

  /// Whether an input with this name is one of the two fields.
  func names(_ input: String) -> Bool { input.hasBytes(of: userField) || input.hasBytes(of: passwordField) }
}

/// What the page says.
package struct PageReading: Sendable, Equatable {
  /// Whether an element matches the selector; true without one.
  package let isSelected: Bool
  /// The first form with both fields.
  package let form: Form?
  /// Whether the page shows that it is the rule's, by the selector or by one field, and no form has both
  /// fields.
  package let lacksField: Bool

  package enum Form: Sendable, Equatable {
    case usable(LoginForm)
    case unusable(LoginFormFault)
  }

  package init(isSelected: Bool, form: Form?, lacksField: Bool = false) {
    self.isSelected = isSelected
    self.form = form
    self.lacksField = lacksField
  }

  /// A page without a form.
  package static let nothing = PageReading(isSelected: false, form: nil)
}

/// Reads a page element by element, as an HTML parser gives them: the elements are balanced.
package struct PageParser {
  /// Deeper pages are not read on: servers do not nest login forms so deep.
  package static let maximumDepth = 512

  private let question: PageQuestion
  /// For each open element, which parts of the selector match it, and which match it or one above it.
  private var open: [(here: UInt64, above: UInt64)] = []
  private var isSelected: Bool
  private var forms: FormCollector

  package init(_ question: PageQuestion) {
    self.question = question
    isSelected = question.selector == nil
    forms = FormCollector(question)
  }

  /// - Returns: false when nothing that follows is of interest, or the page is too deep.
  package mutating func begin(_ element: PageElement) -> Bool {
    guard open.count < PageParser.maximumDepth else { return false }
    note(element)
    forms.begin(element)
    return !forms.isDecided || !isSelected
  }

  package mutating func end(_ name: String) {
    _ = open.popLast()
    forms.end(name)
  }

  /// Whether `text` is to be called for the text that comes next.
  package var wantsText: Bool { forms.wantsText }

  package mutating func text(_ text: String) { forms.text(text) }

  /// - Parameter isWhole: false when the page was cut behind what was read.
  package mutating func finish(isWhole: Bool) -> PageReading {
    let form = forms.finish(isWhole: isWhole)
    let isRecognized = isSelected && (question.selector != nil || forms.hasField)
    return PageReading(isSelected: isSelected, form: form, lacksField: form == nil && isRecognized)
  }

  private mutating func note(_ element: PageElement) {
    var here: UInt64 = 0
    let parent = open.last ?? (0, 0)
    if let selector = question.selector {
      for (index, part) in selector.parts.enumerated() where part.matches(element) {
        let before: UInt64 = index == 0 ? 0 : 1 << UInt64(index - 1)
        let fits =
          switch part.place {
          case .first: true
          case .descendant: parent.above & before != 0
          case .child: parent.here & before != 0
          }
        guard fits else { continue }
        here |= 1 << UInt64(index)
        if part.isLast { isSelected = true }
      }
    }
    open.append((here, parent.above | here))
  }
}
