internal import WatchwordClient
internal import WatchwordJSON
/// A command that forgets something of a session by the id that a list shows, or all of it; says how many are gone.
protocol RemovalCommand: Command {
  static var method: String { get }
  /// The parameter that an id is.
  static var member: String { get }
  /// What is asked when nothing is named.
  static var question: String { get }
  /// The command that shows the ids.
  static var lister: String { get }

  var removal: Removal { get set }
  /// What else says which ones, as an option and as a parameter.
  var selection: (option: String, member: String, value: String?)? { get }
}

extension RemovalCommand {
  static var options: [Option<Self>] { removalOptions }

  static var removalOptions: [Option<Self>] {
    [
      Option(nil, "all", "all of the session") { $0.removal.isAll = true },
      Option(nil, "session", "NAME", "the session [default]") { $0.removal.session = $1 },
      Option(nil, "json", "as JSON") { $0.removal.isJSON = true },
    ]
  }

  var selection: (option: String, member: String, value: String?)? { nil }

  mutating func take(operand: String) throws(Failure) {
    guard removal.identifier == nil else { throw .usage("only one id is allowed") }
    removal.identifier = operand
  }

  mutating func run() throws(Failure) -> ExitCode {
    let (removal, selection) = (removal, selection)
    let named = [removal.identifier != nil, selection?.value != nil, removal.isAll].filter { $0 }.count
    guard named == 1 else {
      let other = selection.map { ", \($0.option)" } ?? ""
      throw .usage(
        named == 0 ? Self.question : "an id\(other) and --all exclude each other",
        hint: "\(Self.lister) lists them")
    }
    let result = try daemon.connect().ask(Self.method) { writer in
      SessionScope.write(removal.session, to: &writer)
      if let identifier = removal.identifier {
        writer.key(escaping: Self.member)
        writer.string(identifier)
      }
      if let selection, let value = selection.value {
        writer.key(escaping: selection.member)
        writer.string(value)
      }
    }
    let removed = result["removed"]?.integer ?? 0
    StandardOutput.write(removal.isJSON ? JSONText.of(result) + "\n" : "removed \(removed)\n")
    return removed > 0 ? .success : .failure
  }
}
