/// One option of a command: its names, its argument, its help and its effect.
///
/// This is the only definition of an option; the parser, the help and the completions use it.
struct Option<Settings> {
  typealias Effect = (inout Settings, String) throws(Failure) -> Void

  let short: Character?
  let long: String
  /// The name of its argument in the help; nil for a switch.
  let argument: String?
  let help: String
  let completion: Completion
  let effect: Effect

  init(
    _ short: Character?, _ long: String, _ argument: String, _ help: String, completion: Completion = .none,
    _ effect: @escaping Effect
  ) {
    self.short = short
    self.long = long
    self.argument = argument
    self.help = help
    self.completion = completion
    self.effect = effect
  }

  /// A switch.
  init(_ short: Character?, _ long: String, _ help: String, _ effect: @escaping (inout Settings) -> Void) {
    self.short = short
    self.long = long
    self.argument = nil
    self.help = help
    self.completion = .none
    self.effect = { (settings, _) throws(Failure) in effect(&settings) }
  }
}
