internal import Glibc

/// Where the daemon's state is to be: a path that need not be there yet.
package struct StatePlace: Sendable {
  package let path: String
  /// The directories that lead to it are made only below the person's own, never to a path that was given.
  let parents: [String]

  private static let name = "watchword"

  /// What was given, else systemd's `STATE_DIRECTORY`, else below `XDG_STATE_HOME`, else below the home directory; nil
  /// when nothing says where.
  package static func resolve(_ given: String?, environment: (String) -> String?) -> StatePlace? {
    if let given { return StatePlace(given) }
    // Several are separated by colons (systemd.exec(5)); ours is the first.
    if let first = environment("STATE_DIRECTORY")?.split(separator: ":").first {
      return StatePlace(String(first))
    }
    // A path that is not absolute is to be ignored (XDG Base Directory Specification).
    if let state = environment("XDG_STATE_HOME"), state.hasPrefix("/") {
      return StatePlace("\(state)/\(name)", parents: [state])
    }
    guard let home = environment("HOME"), home.hasPrefix("/") else { return nil }
    return StatePlace(
      "\(home)/.local/state/\(name)", parents: ["\(home)/.local", "\(home)/.local/state"])
  }

  private init(_ path: String, parents: [String] = []) {
    // Behind a slash at its end, a link would be followed.
    let end = path.lastIndex { $0 != "/" }
    self.path = end.map { String(path[...$0]) } ?? "/"
    self.parents = parents
  }
}
