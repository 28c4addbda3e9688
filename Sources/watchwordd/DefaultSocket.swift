internal import Glibc

/// Where the socket is when nobody says: the user's runtime directory, else a directory of ours at home. Clients look
/// there by the same rule (protocol "Connecting").
enum DefaultSocket {
  static func path() throws -> String {
    if let given = variable("WATCHWORD_SOCKET") { return given }
    if let runtime = variable("XDG_RUNTIME_DIR") { return "\(runtime)/watchword/watchword.sock" }
    let runtime = "/run/user/\(getuid())"
    var information = stat()
    if stat(runtime, &information) == 0, information.st_uid == getuid() {
      return "\(runtime)/watchword/watchword.sock"
    }
    guard let home = variable("HOME") else { throw Failure("no --socket, XDG_RUNTIME_DIR or HOME") }
    return "\(home)/.watchword/watchword.sock"
  }

  private static func variable(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
