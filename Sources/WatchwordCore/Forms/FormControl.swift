internal import WatchwordPrimitives

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
