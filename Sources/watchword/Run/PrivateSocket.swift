internal import CLinux
internal import Glibc
internal import WatchwordClient
internal import WatchwordPrimitives

/// A listening socket in a directory that only this user can enter; both are removed at the end.
final class PrivateSocket {
  let path: String
  private let directory: String
  private(set) var descriptor: Int32

  /// Connections that wait to be accepted.
  private static let backlog: Int32 = 64

  init() throws(Failure) {
    let parent = SocketPath.runtimeDirectory ?? SocketPath.environment("TMPDIR") ?? "/tmp"
    let template = strdup("\(parent)/watchword-run-XXXXXX")
    defer { free(template) }
    // With mode 0700.
    guard let template, let made = mkdtemp(template) else { throw PrivateSocket.failure(parent) }
    directory = String(cString: made)
    path = directory + "/socket"
    let previous = umask(0o177)
    descriptor = clinux_unix_listen(path, PrivateSocket.backlog)
    umask(previous)
    guard descriptor >= 0 else {
      let failure = PrivateSocket.failure(path)
      rmdir(directory)
      throw failure
    }
  }

  /// The daemon has the socket now. When the daemon closes it, the kernel refuses connections.
  func handOver() {
    close(descriptor)
    descriptor = -1
  }

  func remove() {
    if descriptor >= 0 { handOver() }
    unlink(path)
    rmdir(directory)
  }

  private static func failure(_ path: String) -> Failure {
    Failure("\(DisplayText.escaped(path)): \(String(cString: strerror(errno)).lowercased())")
  }
}
