internal import WatchwordPrimitives

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
}

/// What the page says.
package struct PageReading: Sendable, Equatable {
  /// Whether an element matches the selector; true without one.
  package let isSelected: Bool
  /// The first form with both fields.
  package let form: Form?

  package enum Form: Sendable, Equatable {
    case usable(LoginForm)
    case unusable(LoginFormFault)
  }

  package init(isSelected: Bool, form: Form?) {
    self.isSelected = isSelected
    self.form = form
  }

  /// A page without a form.
  package static let nothing = PageReading(isSelected: false, form: nil)
}

/// Reads a page element by element, as an HTML parser gives them: the elements are balanced.
package struct PageReader {
  /// Deeper pages are not read on: servers do not nest login forms so deep.
  package static let maximumDepth = 512
  static let maximumEntries = 256

  private let question: PageQuestion
  /// For each open element, which parts of the selector match it, and which match it or one above it.
  private var open: [(here: UInt64, above: UInt64)] = []
  private var isSelected: Bool
  private var current: FormUnderConstruction?
  private var form: PageReading.Form?

  package init(_ question: PageQuestion) {
    self.question = question
    isSelected = question.selector == nil
  }

  /// - Returns: false when nothing that follows is of interest, or the page is too deep.
  package mutating func begin(_ element: PageElement) -> Bool {
    guard open.count < PageReader.maximumDepth else { return false }
    note(element)
    if form == nil {
      if element.name == "form" {
        close()
        if form == nil { current = FormUnderConstruction(element) }
      } else {
        current?.add(element, question)
      }
    }
    return form == nil || !isSelected
  }

  package mutating func end(_ name: String) {
    _ = open.popLast()
    if name == "form" { close() }
  }

  /// - Parameter isWhole: false when the page was cut behind what was read.
  package mutating func finish(isWhole: Bool) -> PageReading {
    if !isWhole, form == nil, let unfinished = current, unfinished.mayBeLogin {
      return PageReading(isSelected: isSelected, form: .unusable(.tooLarge))
    }
    close()
    return PageReading(isSelected: isSelected, form: form)
  }

  private mutating func close() {
    guard let closed = current.take() else { return }
    form = form ?? closed.form
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

/// A form whose end has not been read.
private struct FormUnderConstruction {
  private let action: String?
  private let isPosted: Bool
  private let isEncodable: Bool
  private var entries: [LoginForm.Entry] = []
  private var hasUser = false
  private var hasPassword = false
  private var hasButton = false
  private var isTooLarge = false

  init(_ form: PageElement) {
    action = form.value(of: "action")
    isPosted = form.value(of: "method")?.asciiLowercased == "post"
    let encoding = form.value(of: "enctype")?.asciiLowercased
    isEncodable = encoding != "multipart/form-data" && encoding != "text/plain"
  }

  /// What is cut off may have the missing field.
  var mayBeLogin: Bool { hasUser || hasPassword }

  var form: PageReading.Form? {
    guard hasUser, hasPassword else { return nil }
    if isTooLarge { return .unusable(.tooLarge) }
    guard isPosted else { return .unusable(.notPosted) }
    guard isEncodable else { return .unusable(.unsupportedEncoding) }
    return .usable(LoginForm(action: action, entries: entries))
  }

  mutating func add(_ element: PageElement, _ question: PageQuestion) {
    guard element.name == "input" || element.name == "button", let name = element.value(of: "name"),
      !name.isEmpty,
      element.value(of: "disabled") == nil
    else { return }
    guard entries.count < PageReader.maximumEntries else {
      isTooLarge = true
      return
    }
    let type = element.value(of: "type")?.asciiLowercased
    if element.name == "input", name.hasBytes(of: question.userField) {
      if !hasUser { entries.append(.user(name: name)) }
      hasUser = true
    } else if element.name == "input", name.hasBytes(of: question.passwordField) {
      if !hasPassword { entries.append(.password(name: name)) }
      hasPassword = true
    } else if let value = defaultValue(of: element, type) {
      entries.append(.given(name: name, value: value))
    }
  }

  /// What a browser would post for it; nil when it posts nothing.
  private mutating func defaultValue(of element: PageElement, _ type: String?) -> String? {
    let value = element.value(of: "value")
    if element.name == "button" || type == "submit" {
      guard type == nil || type == "submit", !hasButton else { return nil }
      hasButton = true
      return value ?? ""
    }
    switch type {
    case "checkbox", "radio": return element.value(of: "checked") == nil ? nil : value ?? "on"
    case "button", "reset", "image", "file": return nil
    default: return value ?? ""
    }
  }
}
