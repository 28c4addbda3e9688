internal import Glibc

/// The place of the daemon's state: a path that may not exist yet.
package struct StatePlace: Sendable {
  package let path: String
  /// The parent directories to create: only those below the person's own, never those of a given path.
  let parents: [String]

  private static let name = "watchword"

  /// The given path, else systemd's `STATE_DIRECTORY`, else below `XDG_STATE_HOME`, else below the home
  /// directory; nil when none is set.
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

/// Where the daemon's configuration file is.
package enum ConfigurationPlace: Sendable, Equatable {
  /// The file that `--configuration` names; it must exist.
  case given(String)
  /// The file of the daemon's own account, which counts where it exists (administrator.md 15.1.3).
  case own(String)

  private static let name = "watchword/config.json"

  /// The given file, else the account's own, below `XDG_CONFIG_HOME` or the home directory; nil when neither
  /// is set.
  package static func resolve(_ given: String?, environment: (String) -> String?) -> ConfigurationPlace? {
    if let given { return .given(given) }
    // A path that is not absolute must be ignored (XDG Base Directory Specification).
    if let folder = environment("XDG_CONFIG_HOME"), folder.hasPrefix("/") { return .own("\(folder)/\(name)") }
    guard let home = environment("HOME"), home.hasPrefix("/") else { return nil }
    return .own("\(home)/.config/\(name)")
  }

  package var path: String {
    switch self {
    case .given(let path), .own(let path): path
    }
  }

  var isOwn: Bool {
    switch self {
    case .given: false
    case .own: true
    }
  }
}

/// The rule for directories that the daemon trusts: created with their mode, else checked, and never changed.
///
/// A loose mode is refused, not repaired: others may have written there before (security.md 2).
enum PrivateDirectory {
  /// Each text is for a person.
  enum DirectoryFault: Error {
    /// A link, owned by another user, or open to others.
    case loose(String)
    case system(String)

    var text: String {
      switch self {
      case .loose(let text), .system(let text): text
      }
    }
  }

  /// Creates the directory unless a file of its name exists.
  static func make(_ path: String) throws(DirectoryFault) {
    let previous = umask(0o077)
    let made = mkdir(path, 0o700)
    let failure = errno
    umask(previous)
    guard made == 0 || failure == EEXIST else {
      throw .system(failure == ENOENT ? missingParent(of: path) : reason(path, failure))
    }
  }

  private static func missingParent(of path: String) -> String {
    let parent = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
      separator: "/")
    let isRuntime = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) } == parent
    return "\(path): there is no \(parent)\(isRuntime ? ", which XDG_RUNTIME_DIR names" : "")"
  }

  /// - Parameters:
  /// - information: of the directory itself, not of a link's target.
  /// - othersMayEnter: whether it may also belong to root and be readable by others.
  static func check(_ information: stat, _ path: String, othersMayEnter: Bool = false) throws(DirectoryFault)
  {
    guard information.st_mode & S_IFMT == S_IFDIR else {
      throw .loose("\(path): is not a directory (links are not followed)")
    }
    guard information.st_uid == getuid() || (othersMayEnter && information.st_uid == 0) else {
      throw .loose("\(path): belongs to another user")
    }
    let forbidden: mode_t = othersMayEnter ? 0o022 : 0o077
    guard information.st_mode & forbidden == 0 else {
      throw .loose("\(path): is open to others; its mode must be 0700")
    }
  }

  static func reason(_ path: String, _ failure: Int32 = errno) -> String {
    "\(path): \(String(cString: strerror(failure)))"
  }
}
