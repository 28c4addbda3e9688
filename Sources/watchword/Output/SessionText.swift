internal import WatchwordClient
internal import WatchwordJSON

/// Sessions for a person.
enum SessionText {
  static func table(_ sessions: [JSONValue]) -> String {
    let counts = ["holders", "tasks", "credentials", "connections", "pendingChallenges"]
    var table = Table(["session", "holders", "tasks", "credentials", "connections", "challenges"])
    for session in sessions {
      let name = DisplayText.escaped(session["session"]?.text ?? "")
      let isPrivate = session["named"]?.flag == false
      table.add([isPrivate ? "\(name) (private)" : name] + counts.map { "\(session[$0]?.integer ?? 0)" })
    }
    return table.text
  }

  /// `pid 4711 /usr/bin/python3`, for a holder or a waiter.
  static func process(_ process: JSONValue) -> String {
    let program = process["executable"]?.text.map { " \(DisplayText.escaped($0))" } ?? ""
    return "pid \(process["pid"]?.integer ?? 0)\(program)"
  }
}
