internal import WatchwordVocabulary

/// A form of a page, and what a browser would post for it (HTML, "Constructing the entry list").
struct PageForm {
  /// What is carried over: login forms have a few dozen.
  static let maximumEntries = 256

  let identifier: String?
  private let action: String?
  private let method: String?
  private let encoding: String?
  /// Of the controls inside of it.
  var hasUser = false
  var hasPassword = false
  /// In the order of the page.
  var controls: [FormControl] = []

  init(_ element: PageElement) {
    identifier = element.value(of: "id").flatMap { $0.isEmpty ? nil : $0 }
    action = element.value(of: "action")
    method = element.value(of: "method")
    encoding = element.value(of: "enctype")
  }

  /// Whether it has one of the rule's fields; what was cut off may have the other one.
  var mayBeLogin: Bool {
    controls.contains {
      switch $0.content {
      case .user, .password: true
      case .value, .options, .submitter: false
      }
    }
  }

  /// Nil without both fields of the rule.
  ///
  /// - Parameter base: of the page.
  func login(base: String?) -> PageReading.Form? {
    var entries: [LoginForm.Field] = []
    var (hasUser, hasPassword) = (false, false)
    var submitter: FormControl.Submitter?
    for control in controls {
      switch control.content {
      case .user:
        if !hasUser { entries.append(.user(name: control.name)) }
        hasUser = true
      case .password:
        if !hasPassword { entries.append(.password(name: control.name)) }
        hasPassword = true
      case .value(let value): entries.append(control.name, value)
      case .options(let values): for value in values { entries.append(control.name, value) }
      case .submitter(let button):
        guard submitter == nil else { continue }
        submitter = button
        if button.isImage {
          // Where it was clicked.
          let prefix = control.name.isEmpty ? "" : control.name + "."
          entries.append(prefix + "x", "0")
          entries.append(prefix + "y", "0")
        } else {
          entries.append(control.name, button.value)
        }
      }
    }
    guard hasUser, hasPassword else { return nil }
    guard entries.count <= Self.maximumEntries else { return .unusable(.tooLarge) }
    guard (submitter?.method ?? method)?.asciiLowercased == "post" else { return .unusable(.notPosted) }
    let encoding = (submitter?.encoding ?? encoding)?.asciiLowercased
    guard encoding != "multipart/form-data", encoding != "text/plain" else {
      return .unusable(.unsupportedEncoding)
    }
    return .usable(LoginForm(action: submitter?.action ?? action, base: base, entries: entries))
  }
}

extension [LoginForm.Field] {
  fileprivate mutating func append(_ name: String, _ value: String) {
    guard !name.isEmpty else { return }
    append(.given(name: name.withWholeLineBreaks, value: value.withWholeLineBreaks))
  }
}

extension String {
  /// Each line break as CR and LF, as forms are posted.
  fileprivate var withWholeLineBreaks: String {
    var bytes: [UInt8] = []
    var isAfterReturn = false
    for byte in utf8 {
      if byte == 0x0A {
        if !isAfterReturn { bytes += [0x0D, 0x0A] }
      } else if byte == 0x0D {
        bytes += [0x0D, 0x0A]
      } else {
        bytes.append(byte)
      }
      isAfterReturn = byte == 0x0D
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
