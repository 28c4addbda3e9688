internal import WatchwordPrimitives

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
