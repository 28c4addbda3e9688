internal import CTransport
internal import Glibc
internal import WatchwordReactor

/// A connection's descriptor as the loop watches it.
///
/// Between two exchanges libcurl no longer asks for it. It is watched on all the same: a warm fetch then
/// costs no `epoll_ctl`. Should an idle connection become readable (its server closes it), the watch ends
/// there, and libcurl is made to look (``IdleSweep``).
@ReactorActor
final class SocketWatch {
  var watch: Watch?
  var isIdle = false
  /// What libcurl waits for.
  var wanted: Interest = []
  var spin = SpinGuard()
  /// Whether it was opened, and will be closed, by us. libcurl has others (its resolver's) that it closes
  /// without a word: a watch on those must not outlive libcurl's interest, or it would be somebody else's.
  let isConnection: Bool
  /// The kernel's number of the socket, which is never that of another; its descriptor's is given out again.
  private let inode: ino_t?

  init(isConnection: Bool, on socket: Int32) {
    self.isConnection = isConnection
    inode = isConnection ? SocketWatch.inode(of: socket) : nil
  }

  /// Whether the descriptor still is the connection that it was.
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
