internal import WatchwordVocabulary

/// Collects the forms of a page with their controls, which may be outside of them (HTML, "Association of
/// controls and forms"), and finds the one that a rule is about.
struct FormCollector {
  /// What an open element means to the controls in it.
  private struct Surroundings {
    /// Below a `fieldset` that is disabled.
    var isDisabled = false
    /// Proposals for an input, which are no controls.
    var isInDatalist = false
    /// For a `fieldset` whose `legend` has not come: whether the controls in that are disabled.
    var legendIsDisabled: Bool?
  }

  private let question: PageQuestion
  private var open: [Surroundings] = []
  private var forms: [PageForm] = []
  /// Of the first `base` element with one (HTML, "The base element").
  private var base: String?
  /// Nil outside of all forms.
  private var current: Int?
  private var hasIdentifiedForm = false
  private var controls: [FormControl] = []
  private var select: SelectReader?
  private var textArea: (control: FormControl?, text: String)?
  /// Whether a form has closed that has both fields, and that no other element of the page can change.
  private(set) var isDecided = false

  init(_ question: PageQuestion) { self.question = question }

  // MARK: Elements

  mutating func begin(_ element: PageElement) {
    let isDisabled = enter(element)
    // What the parser takes for elements in there is text.
    guard textArea == nil, !isDecided else { return }
    // Other elements in a list of options are no part of it, and do not end it.
    if ["select", "input", "textarea"].contains(element.name) { closeSelect() }
    let isControlDisabled = isDisabled || element.value(of: "disabled") != nil
    switch element.name {
    case "base": base = base ?? element.value(of: "href")
    case "form":
      closeForm()
      guard !isDecided else { return }
      current = forms.count
      forms.append(PageForm(element))
      if forms.last?.identifier != nil { hasIdentifiedForm = true }
    case "input", "button":
      guard !isControlDisabled, let owner = owner(of: element) else { return }
      add(element, owner)
    case "select":
      select = SelectReader(element, owner: owner(of: element), isDisabled: isControlDisabled)
    case "option", "optgroup": select?.begin(element)
    case "textarea":
      var control: FormControl?
      if !isControlDisabled, let owner = owner(of: element), let name = element.value(of: "name") {
        control = FormControl(owner: owner, name: name, content: .value(""))
      }
      textArea = (control, "")
    default: break
    }
  }

  mutating func end(_ name: String) {
    _ = open.popLast()
    if name == "textarea" { closeTextArea() }
    guard textArea == nil else { return }
    select?.end(name)
    if name == "select" { closeSelect() }
    if name == "form" { closeForm() }
  }

  var wantsText: Bool { textArea != nil || select?.isInOption == true }

  mutating func text(_ text: String) {
    if textArea != nil { textArea?.text += text } else { select?.text(text) }
  }

  /// Notes an open element; whether the controls that are this element or in it are disabled by one above.
  private mutating func enter(_ element: PageElement) -> Bool {
    let parent = open.last ?? Surroundings()
    var here = Surroundings(isDisabled: parent.isDisabled, isInDatalist: parent.isInDatalist)
    switch element.name {
    case "fieldset":
      here.legendIsDisabled = parent.isDisabled
      if element.value(of: "disabled") != nil { here.isDisabled = true }
    case "legend":
      if let isDisabled = parent.legendIsDisabled {
        open[open.count - 1].legendIsDisabled = nil
        here.isDisabled = isDisabled
      }
    case "datalist": here.isInDatalist = true
    default: break
    }
    open.append(here)
    return parent.isDisabled || parent.isInDatalist
  }

  // MARK: Controls

  /// Nil: the control belongs to no form.
  private func owner(of element: PageElement) -> FormControl.Owner? {
    if let identifier = element.value(of: "form") { return .identifier(identifier) }
    return current.map { .around($0) }
  }

  private mutating func add(_ element: PageElement, _ owner: FormControl.Owner) {
    let name = element.value(of: "name") ?? ""
    if element.name == "input", question.names(name) { hasField = true }
    if element.name == "input", name.hasBytes(of: question.userField) {
      add(FormControl(owner: owner, name: name, content: .user))
    } else if element.name == "input", name.hasBytes(of: question.passwordField) {
      add(FormControl(owner: owner, name: name, content: .password))
    } else if let content = FormControl.Content.of(element) {
      add(FormControl(owner: owner, name: name, content: content))
    }
  }

  private mutating func add(_ control: FormControl) {
    controls.append(control)
    guard case .around(let form) = control.owner else { return }
    switch control.content {
    case .user: forms[form].hasUser = true
    case .password: forms[form].hasPassword = true
    case .value, .options, .submitter: break
    }
  }

  private mutating func closeSelect() {
    guard let closed = select.take(), let owner = closed.owner, !closed.isDisabled, !closed.name.isEmpty
    else {
      return
    }
    add(FormControl(owner: owner, name: closed.name, content: .options(closed.chosen)))
  }

  private mutating func closeTextArea() {
    guard let (control, text) = textArea.take(), let control else { return }
    // A line break behind the tag belongs to the markup.
    let value = text.unicodeScalars.first == "\n" ? String(text.unicodeScalars.dropFirst()) : text
    add(FormControl(owner: control.owner, name: control.name, content: .value(value)))
  }

  private mutating func closeForm() {
    closeSelect()
    guard let closed = current.take() else { return }
    isDecided = !hasIdentifiedForm && forms[closed].hasUser && forms[closed].hasPassword
  }

  // MARK: The form of the rule

  /// Whether the page has one of the fields, in a form or outside of all.
  private(set) var hasField = false

  /// The first form with both fields.
  mutating func finish(isWhole: Bool) -> PageReading.Form? {
    let unfinished = isWhole ? nil : current
    closeTextArea()
    closeForm()
    var numbers: [Bytewise<String>: Int] = [:]
    for (number, form) in forms.enumerated() {
      guard let identifier = form.identifier.map({ Bytewise($0) }), numbers[identifier] == nil else {
        continue
      }
      numbers[identifier] = number
    }
    for control in controls {
      switch control.owner {
      case .around(let number): forms[number].controls.append(control)
      case .identifier(let identifier):
        if let number = numbers[Bytewise(identifier)] { forms[number].controls.append(control) }
      }
    }
    for (number, form) in forms.enumerated() {
      if number == unfinished, form.mayBeLogin { return .unusable(.tooLarge) }
      if let login = form.login(base: base) { return login }
    }
    return nil
  }
}

/// An element of a page that may be part of what a form posts.
struct FormControl {
  enum Owner {
    /// The form around it, by its number.
    case around(Int)
    /// The form that its attribute `form` names.
    case identifier(String)
  }

  enum Content {
    /// The text that the page has for it.
    case value(String)
    /// The options of a `select` that are chosen.
    case options([String])
    /// An `input` with the name of the rule's field.
    case user
    case password
    /// A button that submits; only the first one of a form does.
    case submitter(Submitter)
  }

  /// What a button says in place of its form.
  struct Submitter {
    let value: String
    let isImage: Bool
    let action: String?
    let method: String?
    let encoding: String?
  }

  let owner: Owner
  /// Empty for a button that is not posted itself.
  let name: String
  let content: Content
}

extension FormControl.Content {
  /// What a browser posts for an `input` or a `button` that the user has not changed; nil: nothing.
  static func of(_ element: PageElement) -> FormControl.Content? {
    let type = element.value(of: "type")?.asciiLowercased
    let value = element.value(of: "value")
    guard element.name == "input" else {
      return type == "button" || type == "reset" ? nil : .submitter(element, value ?? "")
    }
    switch type {
    case "submit", "image": return .submitter(element, value ?? "")
    case "button", "reset": return nil
    case "checkbox", "radio":
      return element.value(of: "checked") == nil ? nil : .value(value ?? "on")
    case "file": return .value("")
    case "hidden":
      let isCharset = element.value(of: "name")?.asciiLowercased == "_charset_"
      return .value(isCharset ? "UTF-8" : value ?? "")
    default:
      // The value of a line of text has no line break.
      return .value(String((value ?? "").unicodeScalars.filter { $0 != "\n" && $0 != "\r" }))
    }
  }

  private static func submitter(_ element: PageElement, _ value: String) -> FormControl.Content {
    .submitter(
      FormControl.Submitter(
        value: value,
        isImage: element.name == "input" && element.value(of: "type")?.asciiLowercased == "image",
        action: element.value(of: "formaction"), method: element.value(of: "formmethod"),
        encoding: element.value(of: "formenctype")))
  }
}

/// The start of an element of an HTML page. Names are in lower case.
package struct PageElement: Sendable, Equatable {
  package let name: String
  package let attributes: [(name: String, value: String)]

  package init(name: String, attributes: [(name: String, value: String)]) {
    self.name = name
    self.attributes = attributes
  }

  /// The value of an attribute, which may be empty; nil when it is absent.
  func value(of attribute: String) -> String? {
    attributes.first { $0.name.hasBytes(of: attribute) }?.value
  }

  package static func == (left: PageElement, right: PageElement) -> Bool {
    left.name == right.name && left.attributes.elementsEqual(right.attributes, by: ==)
  }
}

/// Reads a `select` and says which of its options are chosen (HTML, "The select element").
struct SelectReader {
  private struct Option {
    var value: String?
    var text = ""
    var isChosen: Bool
    let isDisabled: Bool
  }

  let owner: FormControl.Owner?
  let name: String
  let isDisabled: Bool
  private let isMultiple: Bool
  /// Whether one option is chosen in any case: the list shows one line.
  private let isClosed: Bool
  private var options: [Option] = []
  private var isGroupDisabled = false
  private(set) var isInOption = false

  init(_ element: PageElement, owner: FormControl.Owner?, isDisabled: Bool) {
    self.owner = owner
    self.isDisabled = isDisabled
    name = element.value(of: "name") ?? ""
    isMultiple = element.value(of: "multiple") != nil
    let size = element.value(of: "size").flatMap { Int($0) } ?? 0
    isClosed = !isMultiple && size <= 1
  }

  mutating func begin(_ element: PageElement) {
    switch element.name {
    case "optgroup":
      isInOption = false
      isGroupDisabled = element.value(of: "disabled") != nil
    case "option":
      options.append(
        Option(
          value: element.value(of: "value"), isChosen: element.value(of: "selected") != nil,
          isDisabled: isGroupDisabled || element.value(of: "disabled") != nil))
      isInOption = true
    default: break
    }
  }

  mutating func text(_ text: String) {
    guard isInOption, let last = options.indices.last, options[last].value == nil else { return }
    options[last].text += text
  }

  mutating func end(_ name: String) {
    if name == "option" || name == "optgroup" { isInOption = false }
    if name == "optgroup" { isGroupDisabled = false }
  }

  /// The values of the chosen options that are not disabled.
  var chosen: [String] {
    var chosen = options.filter(\.isChosen)
    if !isMultiple { chosen = chosen.suffix(1) }
    if chosen.isEmpty, isClosed { chosen = options.filter { !$0.isDisabled }.prefix(1).map { $0 } }
    return chosen.filter { !$0.isDisabled }.map { $0.value ?? $0.text.withSpacesCollapsed }
  }
}

extension String {
  /// Without white space at the ends, and with one space for white space inside.
  fileprivate var withSpacesCollapsed: String {
    unicodeScalars.split(whereSeparator: \.isHTMLSpace).map { String($0) }.joined(separator: " ")
  }
}
