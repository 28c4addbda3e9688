internal import WatchwordVocabulary

/// Reads arguments the way curl and getopt do.
///
/// `-sSf`, `-XPOST` and `-X POST`, `--request POST` and `--request=POST`; options may follow operands; after
/// `--` everything is an operand; a lone `-` is one.
@frozen
package struct OptionParser<Settings, Failure: UsageFailure> {
  @usableFromInline let options: [Option<Settings, Failure>]
  @usableFromInline let hint: String

  /// - Parameter hint: where the options are described.
  @inlinable package init(_ options: [Option<Settings, Failure>], hint: String) {
    self.options = options
    self.hint = hint
  }

  /// Fills `settings`; false when help was requested.
  ///
  /// - Parameters:
  ///   - operandsAreOctets: whether operands may be other than UTF-8.
  ///   - take: takes an argument that is no option.
  @inlinable package func parse(
    _ arguments: ArraySlice<String>, into settings: inout Settings,
    operandsAreOctets: Bool = false, operand take: (inout Settings, String) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    var rest = arguments
    while let argument = rest.popFirst() {
      if argument == "--" {
        for operand in rest {
          try take(&settings, operandsAreOctets ? operand : try Failure.text(operand, of: operand))
        }
        return true
      } else if argument == "--help" || argument == "-h" {
        return false
      } else if argument.hasPrefix("--") {
        try parseLong(argument.dropFirst(2), &rest, into: &settings)
      } else if argument.hasPrefix("-"), argument.utf8.count > 1 {
        try parseShort(argument.dropFirst(), &rest, into: &settings)
      } else {
        try take(&settings, operandsAreOctets ? argument : try Failure.text(argument, of: argument))
      }
    }
    return true
  }

  @inlinable func parseLong(
    _ text: Substring, _ rest: inout ArraySlice<String>, into settings: inout Settings
  ) throws(Failure) {
    let equals = text.firstIndex(of: "=")
    let name = equals.map { text[..<$0] } ?? text
    let given = equals.map { String(text[text.index(after: $0)...]) }
    guard let option = options.first(where: { $0.long == name }) else {
      let nearest = NearestName.of(String(name), among: options.map(\.long))
      throw .unknownOption("--\(name)", hint: nearest.map { "did you mean --\($0)?" } ?? hint)
    }
    if option.argument == nil {
      guard given == nil else { throw .takesNoArgument("--\(name)") }
      try option.effect(&settings, "")
    } else if let value = given ?? rest.popFirst() {
      try option.effect(&settings, try self.value(value, of: option, "--\(name)"))
    } else {
      throw .needsArgument("--\(name)", hint: hint)
    }
  }

  @inlinable func parseShort(
    _ cluster: Substring, _ rest: inout ArraySlice<String>, into settings: inout Settings
  ) throws(Failure) {
    var letters = cluster
    while let letter = letters.popFirst() {
      guard let option = options.first(where: { $0.short == letter }) else {
        throw .unknownOption("-\(letter)", hint: hint)
      }
      if option.argument == nil {
        try option.effect(&settings, "")
      } else if !letters.isEmpty {
        try option.effect(&settings, try value(String(letters), of: option, "-\(letter)"))
        return
      } else if let value = rest.popFirst() {
        try option.effect(&settings, try self.value(value, of: option, "-\(letter)"))
      } else {
        throw .needsArgument("-\(letter)", hint: hint)
      }
    }
  }

  @inlinable func value(
    _ given: String, of option: Option<Settings, Failure>, _ name: String
  ) throws(Failure) -> String {
    option.takesOctets ? given : try Failure.text(given, of: "the value of \(name)")
  }
}

/// An error with which a program ends when its command line is wrong.
package protocol UsageFailure: Error {
  /// - Parameters:
  ///   - message: lower case, without a full stop.
  ///   - hint: what to do about it.
  static func usage(_ message: String, hint: String?) -> Self
}

extension UsageFailure {
  package static func unknownOption(_ name: String, hint: String) -> Self {
    usage("unknown option \(DisplayText.escaped(name))", hint: hint)
  }

  package static func needsArgument(_ name: String, hint: String) -> Self {
    usage("\(name) needs an argument", hint: hint)
  }

  /// The text of `OctetText`. What is not UTF-8 is refused: repaired, it would mean something else.
  ///
  /// - Parameter place: what a person is shown.
  package static func text(_ given: String, of place: String) throws(Self) -> String {
    guard let text = OctetText.plain(given) else {
      throw usage("\(DisplayText.escaped(place)) is not UTF-8", hint: nil)
    }
    return text
  }

  package static func takesNoArgument(_ name: String) -> Self {
    usage("\(name) takes no argument", hint: nil)
  }
}
