internal import CTransport
internal import Glibc
internal import WatchwordReactor

extension ConnectionPool {
  /// libcurl's `CURLMOPT_SOCKETFUNCTION`.
  func setInterest(_ socket: Int32, _ what: Int32) {
    guard what != CURL_POLL_REMOVE else {
      if let known = sockets[socket], known.isConnection { known.isIdle = true } else { forgetSocket(socket) }
      return
    }
    var interest = Interest.none
    if what & CURL_POLL_IN != 0 { interest.insert(.readable) }
    if what & CURL_POLL_OUT != 0 { interest.insert(.writable) }
    let known = sockets[socket] ?? SocketWatch(isConnection: false, on: socket)
    sockets[socket] = known
    known.isIdle = false
    known.wanted = interest
    if let watch = known.watch {
      watch.interest = interest
      return
    }
    watch(socket, known, for: interest)
  }

  /// Without a watch the exchange ends by its timeout.
  private func watch(_ socket: Int32, _ known: SocketWatch, for interest: Interest) {
    known.watch = try? EventLoop.shared.watch(socket, for: interest, in: taker) { ready in
      self.socket(socket, isReady: ready)
    }
  }

  /// libcurl has checked an idle connection whose watch had ended.
  func watchIdle(_ socket: Int32, _ known: SocketWatch) {
    if known.watch == nil { watch(socket, known, for: .readable) }
  }

  private func socket(_ socket: Int32, isReady ready: Interest) {
    guard let known = sockets[socket] else { return }
    if known.isIdle {
      known.stop()
      return suspect(socket)
    }
    var events: Int32 = 0
    if ready.contains(.readable) { events |= CURL_CSELECT_IN }
    if ready.contains(.writable) {
      if !ready.contains(.readable), known.spin.isSpinning(progress) { return rest(known) }
      events |= CURL_CSELECT_OUT
    }
    if ready.contains(.hangUp) { events |= CURL_CSELECT_ERR }
    drive(socket, events)
  }

  /// Calls libcurl after a delay, and watches only then again whether the socket is writable.
  private func rest(_ known: SocketWatch) {
    guard let watch = known.watch else { return }
    watch.interest.remove(.writable)
    _ = EventLoop.shared.schedule(after: SpinGuard.restSeconds) { [weak self, weak known] in
      guard let self, let known, known.watch === watch, known.wanted.contains(.writable) else { return }
      watch.interest.insert(.writable)
      drive(watch.descriptor, CURL_CSELECT_OUT)
    }
  }

  private func forgetSocket(_ socket: Int32) {
    sockets.removeValue(forKey: socket)?.stop()
  }

  func openSocket(_ address: curl_sockaddr) -> curl_socket_t {
    let type = address.socktype | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let socket = Glibc.socket(address.family, type, address.protocol)
    guard socket >= 0 else { return CURL_SOCKET_BAD }
    note(socket)
    return socket
  }

  /// The tunnel that the exchange before has opened, as a socket that is connected; nil when there is none.
  func takeTunnel() -> curl_socket_t? {
    guard let socket = tunnel.handOver() else { return nil }
    note(socket)
    return socket
  }

  /// libcurl has a connection of this number.
  private func note(_ socket: Int32) {
    // The previous socket with this number was closed without a callback.
    if sockets[socket]?.isConnection ?? false { forgetConnection(socket) }
    counters.open += 1
    sockets[socket] = SocketWatch(isConnection: true, on: socket)
  }

  func closeSocket(_ socket: Int32) -> Int32 {
    forgetConnection(socket)
    return tunnel.keeps(socket) ? 0 : close(socket)
  }

  /// Removes sockets that libcurl has closed without a callback: connection attempts that failed.
  func forgetClosed(_ opened: [Int32]) {
    for socket in opened {
      if let known = sockets[socket], known.isConnection, !known.isOpen(socket) { forgetConnection(socket) }
    }
  }

  private func forgetConnection(_ socket: Int32) {
    idleSweep.suspects[socket] = nil
    forgetSocket(socket)
    counters.open -= 1
  }
}

/// libcurl's callbacks for a multi handle, and for connections that outlive their exchange. The context is
/// the ``ConnectionPool``, which lives until its multi handle is cleaned up.
enum PoolCallbacks {
  static let socket: transport_socket_function = { _, socket, what, context, _ in
    guard let context else { return 0 }
    onLoop(context, (socket, what)) { (pool: ConnectionPool, change) in pool.setInterest(change.0, change.1) }
    return 0
  }

  static let timer: transport_timer_function = { _, milliseconds, context in
    guard let context else { return 0 }
    onLoop(context, milliseconds) { (pool: ConnectionPool, milliseconds) in pool.setTimer(milliseconds) }
    return 0
  }

  static let close: transport_close_function = { context, socket in
    guard let context else { return -1 }
    return onLoop(context, socket) { (pool: ConnectionPool, socket) in pool.closeSocket(socket) }
  }
}

/// Hands a callback of libcurl or OpenSSL to the object behind its user data.
///
/// Both call back only from inside functions that were called on the loop. The arguments are lent for the
/// call and used on this thread before it returns, which is what allows them to pass as isolated. `body`
/// captures nothing.
func onLoop<Object: AnyObject, Argument, Result>(
  _ context: UnsafeMutableRawPointer, _ argument: Argument,
  _ body: @escaping @ReactorActor (Object, Argument) -> Result
) -> Result {
  assumeOnLoop(Unmanaged<Object>.fromOpaque(context).takeUnretainedValue(), argument, body)
}

/// The loop's watch on a connection's descriptor.
///
/// Between two exchanges libcurl does not watch it. The loop keeps the watch, so that a warm fetch costs no
/// `epoll_ctl`. If an idle connection becomes readable (its server closes it), the watch ends and libcurl is
/// made to check it (``IdleSweep``).
@ReactorActor
final class SocketWatch {
  var watch: Watch?
  var isIdle = false
  /// What libcurl waits for.
  var wanted: Interest = []
  var spin = SpinGuard()
  /// Whether we open and close it. libcurl closes others (its resolver's) without a callback: a watch on
  /// those must not outlive libcurl's interest, or it would watch another socket with the same number.
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
