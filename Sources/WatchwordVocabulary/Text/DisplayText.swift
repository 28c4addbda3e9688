/// Makes text from a server or another process safe for a person's terminal.
///
/// A realm with escape sequences could repaint the question that contains it; one with a kilobyte of spaces
/// could push the origin off the screen.
package enum DisplayText {
  /// The most characters of a foreign string that a person is shown.
  package static let longest = 200

  /// Without control characters, line separators and characters that change the writing direction; an octet
  /// of ``OctetText`` is `\xE9`.
  package static func escaped(_ text: String, longest: Int = longest) -> String {
    escaped(text, longest: longest, backslashed: "")
  }

  /// The same in quotation marks; the text cannot contain any.
  package static func quoted(_ text: String) -> String {
    "\"\(escaped(text, longest: longest, backslashed: "\"\\"))\""
  }

  private static func escaped(_ text: String, longest: Int, backslashed: String) -> String {
    var result = ""
    var count = 0
    for scalar in text.unicodeScalars {
      guard count < longest else { return result + "…" }
      count += 1
      if backslashed.unicodeScalars.contains(scalar) { result += "\\" }
      if let octet = OctetText.octet(of: scalar) {
        result += "\\x\(String(octet, radix: 16, uppercase: true))"
      } else if isHarmful(scalar) {
        result += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate: true
    default: false
    }
  }
}
