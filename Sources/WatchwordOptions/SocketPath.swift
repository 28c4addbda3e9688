internal import Glibc

/// The path of the daemon's socket: the caller's, else `WATCHWORD_SOCKET`, else in the user's own directory.
///
/// The command and the daemon itself use the same rule (messages.md 2.1.1).
package enum SocketPath {
  /// An absolute path, since a daemon that is started for it has another working directory; nil when none is
  /// known.
  package static func resolve(_ given: String?) -> String? {
    (given ?? Environment.value(of: "WATCHWORD_SOCKET") ?? standard).map(absolute)
  }

  /// Whether a path is the user's own place, where a client may start a daemon.
  package static func isStandard(_ path: String) -> Bool { standard.map(absolute) == path }

  /// In `$XDG_RUNTIME_DIR`, else below `/run/user/UID` where that is a directory, else in the home directory.
  private static var standard: String? {
    if let runtime = runtimeDirectory { return runtime + "/watchword/watchword.sock" }
    let runtime = "/run/user/\(getuid())"
    var information = stat()
    if stat(runtime, &information) == 0, information.st_mode & S_IFMT == S_IFDIR {
      return runtime + "/watchword/watchword.sock"
    }
    return Environment.value(of: "HOME").map { $0 + "/.watchword/watchword.sock" }
  }

  /// `XDG_RUNTIME_DIR`, which does not count when it is relative (XDG Base Directory Specification).
  package static var runtimeDirectory: String? {
    Environment.value(of: "XDG_RUNTIME_DIR").flatMap { $0.hasPrefix("/") ? $0 : nil }
  }

  private static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let here = getcwd(nil, 0) else { return path }
    defer { free(here) }
    return String(cString: here) + "/" + path
  }
}
