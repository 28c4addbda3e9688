internal import WatchwordPrimitives

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
