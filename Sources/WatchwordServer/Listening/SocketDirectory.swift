internal import Glibc

/// The directory of the socket: ours, private, and not a link.
enum SocketDirectory {
  /// Makes the directory with its mode if it is not there, else checks it; never changes one that is.
  ///
  /// A host-wide socket may lie in a directory of root's that others can enter, but not write to.
  static func prepare(of socketPath: String, isHostWide: Bool) throws(ListenerFault) {
    let parts = socketPath.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    let directory = parts.count == 1 && parts.first == "" ? "/" : parts.joined(separator: "/")
    guard !directory.isEmpty else { throw .system("\(socketPath): needs a directory") }
    let previous = umask(0o077)
    let made = mkdir(directory, 0o700)
    let reason = errno
    umask(previous)
    guard made == 0 || reason == EEXIST else {
      throw .system("\(directory): \(String(cString: strerror(reason)))")
    }
    var information = stat()
    guard lstat(directory, &information) == 0 else {
      throw .system("\(directory): \(String(cString: strerror(errno)))")
    }
    guard information.st_mode & S_IFMT == S_IFDIR else {
      throw .looseDirectory("\(directory): is not a directory (links are not followed)")
    }
    guard information.st_uid == getuid() || (isHostWide && information.st_uid == 0) else {
      throw .looseDirectory("\(directory): belongs to another user")
    }
    let forbidden: mode_t = isHostWide ? 0o022 : 0o077
    guard information.st_mode & forbidden == 0 else {
      throw .looseDirectory("\(directory): is open to others; its mode must be 0700")
    }
  }
}
