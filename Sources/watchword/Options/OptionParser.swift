/// Reads a command's arguments the way curl and getopt do.
///
/// `-sSf`, `-XPOST` and `-X POST`, `--request POST` and `--request=POST`; options may follow operands; after `--`
/// everything is an operand; a lone `-` is one.
struct OptionParser<Settings: Command> {
  private let options = Settings.options + Settings.daemonOptions

  /// Fills `settings`; false when help was requested.
  func parse(_ arguments: ArraySlice<String>, into settings: inout Settings) throws(Failure) -> Bool {
    var rest = arguments
    while let argument = rest.popFirst() {
      if argument == "--" {
        for operand in rest { try settings.take(operand: operand) }
        return true
      } else if argument == "--help" || argument == "-h" {
        return false
      } else if argument.hasPrefix("--") {
        try parseLong(argument.dropFirst(2), &rest, into: &settings)
      } else if argument.hasPrefix("-"), argument.utf8.count > 1 {
        try parseShort(argument.dropFirst(), &rest, into: &settings)
      } else {
        try settings.take(operand: argument)
      }
    }
    return true
  }

  private func parseLong(
    _ text: Substring, _ rest: inout ArraySlice<String>, into settings: inout Settings
  ) throws(Failure) {
    let equals = text.firstIndex(of: "=")
    let name = equals.map { text[..<$0] } ?? text
    let given = equals.map { String(text[text.index(after: $0)...]) }
    guard let option = options.first(where: { $0.long == name }) else { throw unknown("--\(name)") }
    if option.argument == nil {
      guard given == nil else { throw .usage("--\(name) takes no argument") }
      try option.effect(&settings, "")
    } else if let value = given ?? rest.popFirst() {
      try option.effect(&settings, value)
    } else {
      throw .usage("--\(name) needs an argument", hint: helpHint)
    }
  }

  private func parseShort(
    _ cluster: Substring, _ rest: inout ArraySlice<String>, into settings: inout Settings
  ) throws(Failure) {
    var letters = cluster
    while let letter = letters.popFirst() {
      guard let option = options.first(where: { $0.short == letter }) else { throw unknown("-\(letter)") }
      if option.argument == nil {
        try option.effect(&settings, "")
      } else if !letters.isEmpty {
        try option.effect(&settings, String(letters))
        return
      } else if let value = rest.popFirst() {
        try option.effect(&settings, value)
      } else {
        throw .usage("-\(letter) needs an argument", hint: helpHint)
      }
    }
  }

  private func unknown(_ name: String) -> Failure {
    .usage("unknown option \(DisplayText.escaped(name))", hint: helpHint)
  }

  private var helpHint: String { "see watchword help \(Settings.name)" }
}
