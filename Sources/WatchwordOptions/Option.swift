/// One option of a program or of one of its commands: its names, its argument, its help and its effect.
///
/// This is the only definition of an option; the parser, the help and the completions use it. Its code is
/// inlinable, because a table of generic values would otherwise be made and searched without knowing their
/// type.
@frozen
package struct Option<Settings, Failure: Error> {
  package typealias Effect = (inout Settings, String) throws(Failure) -> Void

  package let short: Character?
  package let long: String
  /// The name of its argument in the help; nil for a switch.
  package let argument: String?
  package let help: String
  package let completion: Completion
  /// Whether its argument may be other than UTF-8: the effect gets it as `OctetText`, as names of files are.
  package let takesOctets: Bool
  package let effect: Effect

  @inlinable package init(
    _ short: Character?, _ long: String, _ argument: String, _ help: String, completion: Completion = .none,
    takesOctets: Bool? = nil, _ effect: @escaping Effect
  ) {
    self.short = short
    self.long = long
    self.argument = argument
    self.help = help
    self.completion = completion
    self.takesOctets = takesOctets ?? completion.isFile
    self.effect = effect
  }

  /// A switch that may fail.
  @inlinable package init(
    switch short: Character?, _ long: String, _ help: String, _ effect: @escaping Effect
  ) {
    self.short = short
    self.long = long
    self.argument = nil
    self.help = help
    self.completion = .none
    self.takesOctets = false
    self.effect = effect
  }

  /// A switch.
  @inlinable package init(
    _ short: Character?, _ long: String, _ help: String, _ effect: @escaping (inout Settings) -> Void
  ) {
    self.short = short
    self.long = long
    self.argument = nil
    self.help = help
    self.completion = .none
    self.takesOctets = false
    self.effect = { (settings, _) throws(Failure) in effect(&settings) }
  }
}

/// The values that a shell offers for an option's argument.
@frozen
package enum Completion {
  case none
  case file
  case words([String])

  @inlinable package var isFile: Bool {
    if case .file = self { true } else { false }
  }
}
