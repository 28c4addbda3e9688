/// One option of a command: its names, what it takes, what the help says and what it does.
///
/// The only place where an option is defined; the parser, the help and the completions read it from here.
struct Option<Settings> {
  typealias Effect = (inout Settings, String) throws(Failure) -> Void

  let short: Character?
  let long: String
  /// The name of its argument as the help shows it; nil for a switch.
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
