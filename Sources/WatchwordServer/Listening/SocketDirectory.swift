internal import Glibc

/// The directory of the socket: ours, private, and not a link.
enum SocketDirectory {
  /// Creates the directory with its mode if it is missing, else checks it; never changes an existing one.
  ///
  /// A host-wide socket may lie in a directory of root that others can enter, but not write to.
  static func prepare(of socketPath: String, isHostWide: Bool) throws(ListenerFault) {
    let parts = socketPath.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    let directory = parts.count == 1 && parts.first == "" ? "/" : parts.joined(separator: "/")
    guard !directory.isEmpty else { throw .system("\(socketPath): needs a directory") }
    do throws(PrivateDirectory.Fault) {
      try PrivateDirectory.make(directory)
      var information = stat()
      guard lstat(directory, &information) == 0 else { throw .system(PrivateDirectory.reason(directory)) }
      try PrivateDirectory.check(information, directory, othersMayEnter: isHostWide)
    } catch {
      switch error {
      case .loose(let text): throw .looseDirectory(text)
      case .system(let text): throw .system(text)
      }
    }
  }
}
