internal import Glibc

/// The place of the daemon's state: a path that may not exist yet.
package struct StatePlace: Sendable {
  package let path: String
  /// The parent directories to create: only those below the person's own, never those of a given path.
  let parents: [String]

  private static let name = "watchword"

  /// The given path, else systemd's `STATE_DIRECTORY`, else below `XDG_STATE_HOME`, else below the home directory;
  /// nil when none is set.
  package static func resolve(_ given: String?, environment: (String) -> String?) -> StatePlace? {
    if let given { return StatePlace(given) }
    // Several are separated by colons (systemd.exec(5)); the first is used.
    if let first = environment("STATE_DIRECTORY")?.split(separator: ":").first {
      return StatePlace(String(first))
    }
    // A path that is not absolute must be ignored (XDG Base Directory Specification).
    if let state = environment("XDG_STATE_HOME"), state.hasPrefix("/") {
      return StatePlace("\(state)/\(name)", parents: [state])
    }
    guard let home = environment("HOME"), home.hasPrefix("/") else { return nil }
    return StatePlace(
      "\(home)/.local/state/\(name)", parents: ["\(home)/.local", "\(home)/.local/state"])
  }

  /// A directory in it, which is made with it.
  func inner(_ name: String) -> StatePlace { StatePlace("\(path)/\(name)", parents: parents + [path]) }

  private init(_ path: String, parents: [String] = []) {
    // With a slash at the end, a link would be followed.
    let end = path.lastIndex { $0 != "/" }
    self.path = end.map { String(path[...$0]) } ?? "/"
    self.parents = parents
  }
}
