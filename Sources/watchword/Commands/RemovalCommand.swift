internal import WatchwordMessages
internal import WatchwordOptions

/// A command that forgets something of a session by the id that a list shows, or all of it; says how many are
/// gone.
protocol RemovalCommand: Command {
  associatedtype Selected: MethodRequest where Selected.Result == Sent.Removal
  /// What is to be removed.
  var request: Selected { get }
  /// What is asked when nothing is named.
  static var question: String { get }
  /// The command that shows the ids.
  static var lister: String { get }
  /// What to do where nothing has the given id or name.
  static var hintForUnknown: String { get }

  var removal: Removal { get set }
  /// The option that else says which ones, and whether it is given.
  var selection: (option: String, isGiven: Bool)? { get }
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

  static var hintForUnknown: String { "\(lister) lists them" }

  var selection: (option: String, isGiven: Bool)? { nil }

  mutating func take(operand: String) throws(Failure) {
    guard removal.identifier == nil else { throw .usage("only one id is allowed") }
    removal.identifier = operand
  }

  mutating func run() throws(Failure) -> ExitCode {
    let named = [removal.identifier != nil, selection?.isGiven == true, removal.isAll].filter { $0 }.count
    guard named == 1 else {
      let other = selection.map { ", \($0.option)" } ?? ""
      throw .usage(
        named == 0 ? Self.question : "an id\(other) and --all exclude each other",
        hint: "\(Self.lister) lists them")
    }
    let reply = try daemon.connect().askReply(request)
    let removed = reply.result.removed
    StandardOutput.write(removal.isJSON ? JSONText.of(reply.text) + "\n" : "removed \(removed)\n")
    if removed == 0, removal.identifier != nil { Diagnostics.hint(Self.hintForUnknown) }
    return removed > 0 ? .success : .failure
  }
}

/// The options of every removal command.
struct Removal {
  var identifier: String?
  var isAll = false
  var session: String?
  var isJSON = false
}
