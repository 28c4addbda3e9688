internal import CTransport
internal import Glibc
internal import WatchwordReactor

/// The loop's watch on a connection's descriptor.
///
/// Between two exchanges libcurl does not watch it. The loop keeps the watch, so that a warm fetch costs no
/// `epoll_ctl`. If an idle connection becomes readable (its server closes it), the watch ends and libcurl is made to
/// check it (``IdleSweep``).
@ReactorActor
final class SocketWatch {
  var watch: Watch?
  var isIdle = false
  /// What libcurl waits for.
  var wanted: Interest = []
  var spin = SpinGuard()
  /// Whether we open and close it. libcurl closes others (its resolver's) without a callback: a watch on those must
  /// not outlive libcurl's interest, or it would watch another socket with the same number.
  let isConnection: Bool
  /// The socket's inode, which identifies it; descriptor numbers are reused.
  private let inode: ino_t?

  init(isConnection: Bool, on socket: Int32) {
    self.isConnection = isConnection
    inode = isConnection ? SocketWatch.inode(of: socket) : nil
  }

  /// Whether the descriptor still is the same connection.
  func isOpen(_ socket: Int32) -> Bool { inode != nil && SocketWatch.inode(of: socket) == inode }

  private static func inode(of socket: Int32) -> ino_t? {
    var information = stat()
    return fstat(socket, &information) == 0 ? information.st_ino : nil
  }

  func stop() {
    watch?.cancel()
    watch = nil
  }
}
