internal import Glibc
internal import WatchwordClient
internal import WatchwordJSON

/// Formats sessions for a person.
enum SessionText {
  static func table(_ sessions: [JSONValue]) -> String {
    let counts = ["holders", "tasks", "credentials", "trust", "connections", "pendingChallenges"]
    var table = Table(["session", "holders", "tasks", "credentials", "trust", "connections", "challenges"])
    for session in sessions {
      let name = DisplayText.escaped(session["session"]?.text ?? "")
      let isPrivate = session["named"]?.flag == false
      table.add([isPrivate ? "\(name) (private)" : name] + counts.map { "\(count(of: $0, in: session))" })
    }
    return table.text
  }

  /// A number, or the count of a list: `session/list` has the former, `status` the latter.
  static func count(of member: String, in session: JSONValue) -> Int64 {
    if member == "holders", session[member]?.integer == nil { return Int64(holders(of: session).count) }
    return session[member]?.integer ?? Int64(session[member]?.elements.count ?? 0)
  }

  /// Without this process, which only reads.
  static func holders(of session: JSONValue) -> [JSONValue] {
    (session["holders"]?.elements ?? []).filter { $0["pid"]?.integer != Int64(getpid()) }
  }

  /// `pid 4711 /usr/bin/python3`, for a holder or a waiter.
  static func process(_ process: JSONValue) -> String {
    let program = process["executable"]?.text.map { " \(DisplayText.escaped($0))" } ?? ""
    return "pid \(process["pid"]?.integer ?? 0)\(program)"
  }
}
